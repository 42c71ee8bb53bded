"""scikit-learn and joblib: decorated functions as metrics, kernels, transformers and tasks."""

import numpy as np
import pytest
from joblib import Parallel, delayed
from sklearn.cluster import DBSCAN
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import make_scorer, pairwise_distances
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import BallTree, KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

import agir as ag

DATA = np.random.default_rng(3).normal(size=(40, 3))
LABELS = (DATA[:, 0] + DATA[:, 1] > 0).astype(int)


def plain_distance(x, y):
    total = 0.0
    for i in range(len(x)):
        total += abs(x[i] - y[i]) ** 1.5
    return total ** (1 / 1.5)


def plain_kernel(x, y):
    return np.exp(-((x - y) ** 2).sum())


def plain_gram(x, y):
    return (x @ y.T + 1.0) ** 2


distance, kernel, gram = ag.jit(plain_distance), ag.jit(plain_kernel), ag.jit(plain_gram)


@pytest.mark.parametrize("jobs", [None, 2])
def test_distances(jobs):
    expected = pairwise_distances(DATA, metric=plain_distance)
    found = pairwise_distances(DATA, metric=distance, n_jobs=jobs)
    np.testing.assert_allclose(expected, found, rtol=1e-13)
    expected = pairwise_kernels(DATA, metric=plain_kernel)
    np.testing.assert_allclose(expected, pairwise_kernels(DATA, metric=kernel, n_jobs=jobs))


@pytest.mark.parametrize("algorithm", ["brute", "ball_tree"])
def test_neighbours(algorithm):
    for kind in (plain_distance, distance):
        model = KNeighborsClassifier(3, metric=kind, algorithm=algorithm).fit(DATA, LABELS)
        found = model.predict(DATA + 0.1)
        nearest = NearestNeighbors(n_neighbors=2, metric=kind, algorithm=algorithm).fit(DATA)
        if kind is plain_distance:
            expected, near = found, nearest.kneighbors(DATA)[1]
    assert np.array_equal(expected, found)
    assert np.array_equal(near, nearest.kneighbors(DATA)[1])


def test_models_that_call():
    np.testing.assert_array_equal(
        DBSCAN(metric=plain_distance).fit(DATA).labels_, DBSCAN(metric=distance).fit(DATA).labels_
    )
    for make in (lambda k: SVC(kernel=k), lambda k: KernelRidge(kernel=k)):
        kinds = (plain_gram, gram) if make(None).__class__ is SVC else (plain_kernel, kernel)
        one, other = (make(each).fit(DATA, LABELS).predict(DATA) for each in kinds)
        np.testing.assert_allclose(one, other)
    tree = BallTree(DATA, metric=distance)
    np.testing.assert_array_equal(
        tree.query(DATA, 2)[1], BallTree(DATA, metric=plain_distance).query(DATA, 2)[1]
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_searches_and_pipelines(jobs):
    # Other processes get them by value: they cannot import this module.
    scaled = ag.jit(lambda x: x * 2.0)
    score = ag.jit(lambda truth, found: (truth == found).mean())
    distance = ag.jit(lambda x, y: (abs(x - y) ** 1.5).sum())
    model = make_pipeline(FunctionTransformer(scaled), KNeighborsClassifier(metric=distance))
    search = GridSearchCV(
        model,
        {"kneighborsclassifier__n_neighbors": [1, 3]},
        scoring=make_scorer(score),
        cv=2,
        n_jobs=jobs,
    ).fit(DATA, LABELS)
    assert 0.5 < search.best_score_ <= 1.0
    assert search.best_estimator_.predict(DATA).shape == (40,)


@ag.jit
def by_name(x, y):
    return ((x - y) ** 2).sum()


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_tasks_of_joblib(backend):
    found = Parallel(n_jobs=2, backend=backend)(delayed(by_name)(row, DATA[0]) for row in DATA)
    np.testing.assert_allclose(((DATA - DATA[0]) ** 2).sum(axis=1), found, rtol=1e-13)


def test_functions_of_the_main_program_by_value():
    local = ag.jit(lambda x: (x * x).sum())
    found = Parallel(n_jobs=2, backend="loky")(delayed(local)(row) for row in DATA[:4])
    np.testing.assert_allclose(found, (DATA[:4] ** 2).sum(axis=1))
