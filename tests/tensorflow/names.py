"""TensorFlow's public names that are numeric or control: what differs, and what to use instead.

Whether a name is there is looked up, so nothing here says it.  What belongs to another subject
(gradients, data sets, strings, sparse and ragged tensors, devices, saved models) is in `LEFT_OUT`.
"""

from __future__ import annotations

NAMES = {
    "tf": """
        abs acos acosh add add_n approx_top_k argmax argmin argsort as_dtype asin asinh atan atan2
        atanh autograph batch_to_space bitcast bitwise boolean_mask broadcast_dynamic_shape
        broadcast_static_shape broadcast_to bfloat16 bool case cast clip_by_global_norm
        clip_by_norm clip_by_value complex complex128 complex64 concat cond config constant
        control_dependencies conv convert_to_tensor cos cosh cumsum debugging divide double DType
        dtypes dynamic_partition dynamic_stitch edit_distance eig eigvals einsum ensure_shape equal
        executing_eagerly exp expand_dims eye fill float16 float32 float64 floor foldl foldr function
        gather gather_nd get_static_value Graph greater greater_equal group half
        histogram_fixed_width histogram_fixed_width_bins identity identity_n IndexedSlices
        init_scope int16 int32 int64 int8 is_tensor less less_equal linalg linspace logical_and
        logical_not logical_or map_fn math matmul matrix_square_root maximum meshgrid minimum
        Module multiply name_scope negative nest newaxis nn no_op norm not_equal numpy_function
        one_hot ones ones_like pad parallel_stack pow print py_function random random_index_shuffle
        range rank realdiv reduce_all reduce_any reduce_logsumexp reduce_max reduce_mean reduce_min
        reduce_prod reduce_sum repeat reshape reverse reverse_sequence roll round saturate_cast
        scalar_mul scan scatter_nd searchsorted sequence_mask shape shape_n sigmoid sign sin sinh
        size slice sort space_to_batch split sqrt square squeeze stack stop_gradient strided_slice
        subtract switch_case tan tanh Tensor tensor_scatter_nd_add tensor_scatter_nd_max
        tensor_scatter_nd_min tensor_scatter_nd_sub tensor_scatter_nd_update TensorArray tensordot
        TensorShape TensorSpec tile timestamp transpose truncatediv truncatemod tuple
        type_spec_from_value types uint16 uint32 uint64 uint8 unique unique_with_counts
        unravel_index unstack Variable variable_creator_scope vectorized_map where while_loop
        zeros zeros_like
    """,
    "tf.math": """
        abs accumulate_n acos acosh add add_n angle approx_max_k approx_min_k argmax argmin asin
        asinh atan atan2 atanh bessel_i0 bessel_i0e bessel_i1 bessel_i1e betainc bincount ceil
        confusion_matrix conj cos cosh count_nonzero cumprod cumsum cumulative_logsumexp digamma
        divide divide_no_nan equal erf erfc erfcinv erfinv exp expm1 floor floordiv floormod greater
        greater_equal igamma igammac imag in_top_k invert_permutation is_finite is_inf is_nan
        is_non_decreasing is_strictly_increasing l2_normalize lbeta less less_equal lgamma log log1p
        log_sigmoid log_softmax logical_and logical_not logical_or logical_xor maximum minimum mod
        multiply multiply_no_nan ndtri negative nextafter not_equal polygamma polyval pow real
        reciprocal reciprocal_no_nan reduce_all reduce_any reduce_euclidean_norm reduce_logsumexp
        reduce_max reduce_mean reduce_min reduce_prod reduce_std reduce_sum reduce_variance rint
        round rsqrt scalar_mul segment_max segment_mean segment_min segment_prod segment_sum sigmoid
        sign sin sinh sobol_sample softmax softplus softsign special sqrt square squared_difference
        subtract tan tanh top_k truediv unsorted_segment_max unsorted_segment_mean
        unsorted_segment_min unsorted_segment_prod unsorted_segment_sqrt_n unsorted_segment_sum
        xdivy xlog1py xlogy zero_fraction zeta
    """,
    "tf.bitwise": "bitwise_and bitwise_or bitwise_xor invert left_shift right_shift",
    "tf.dtypes": """
        DType as_dtype bfloat16 bool cast complex complex128 complex64 double float16 float32 float64
        half int16 int32 int64 int8 saturate_cast uint16 uint32 uint64 uint8
    """,
    "tf.linalg": """
        adjoint band_part banded_triangular_solve cholesky cholesky_solve cross det diag diag_part
        eig eigh eigh_tridiagonal eigvals eigvalsh einsum expm eye global_norm inv l2_normalize
        logdet logm lstsq lu lu_matrix_inverse lu_reconstruct lu_solve matmul matrix_rank
        matrix_transpose matvec norm normalize pinv qr set_diag slogdet solve sqrtm svd tensor_diag
        tensor_diag_part tensordot trace triangular_solve tridiagonal_matmul tridiagonal_solve
    """,
    "tf.nn": """
        atrous_conv2d avg_pool avg_pool1d avg_pool2d avg_pool3d batch_normalization bias_add
        compute_average_loss conv1d conv1d_transpose conv2d conv2d_transpose conv3d convolution crelu
        ctc_loss depth_to_space depthwise_conv2d dilation2d dropout elu embedding_lookup erosion2d
        gelu in_top_k l2_loss l2_normalize leaky_relu local_response_normalization log_poisson_loss
        log_softmax max_pool max_pool1d max_pool2d max_pool3d max_pool_with_argmax moments
        normalize_moments pool relu relu6 selu separable_conv2d
        sigmoid sigmoid_cross_entropy_with_logits silu softmax softmax_cross_entropy_with_logits
        softplus softsign space_to_depth sparse_softmax_cross_entropy_with_logits
        sufficient_statistics swish tanh top_k weighted_cross_entropy_with_logits weighted_moments
        with_space_to_batch zero_fraction
    """,
    "tf.random": """
        Algorithm Generator categorical create_rng_state fixed_unigram_candidate_sampler fold_in
        gamma get_global_generator normal poisson set_global_generator set_seed shuffle split
        stateless_binomial stateless_categorical stateless_gamma stateless_normal
        stateless_parameterized_truncated_normal stateless_poisson stateless_shuffle
        stateless_truncated_normal stateless_uniform truncated_normal uniform
    """,
    "tf.debugging": """
        assert_all_finite assert_equal assert_greater assert_greater_equal assert_integer
        assert_less assert_less_equal assert_near assert_negative assert_non_negative
        assert_non_positive assert_none_equal assert_positive assert_proper_iterable assert_rank
        assert_rank_at_least assert_rank_in assert_same_float_dtype assert_scalar assert_shapes
        assert_type check_numerics enable_check_numerics disable_check_numerics Assert
        is_numeric_tensor
    """,
    "tf.nest": "assert_same_structure flatten is_nested map_structure pack_sequence_as",
    "tf.autograph": "set_verbosity to_code to_graph trace",
    "tf.autograph.experimental": "do_not_convert set_loop_options Feature",
    "tf.config": "functions_run_eagerly run_functions_eagerly",
}
"""The names of each module of TensorFlow's."""

_RANGE_OF_INDICES = "an index outside is an error, never zeros"
_PROMOTES = (
    "operands of different dtypes are promoted as NumPy promotes them, which TensorFlow refuses"
)
_NAN_LAST = "NaN comes last, in either direction"
_OVERFLOW = "integers wrap around"

DIFFERS = {
    "tf.DType": "`size`, `min`, `max` and the rest; no reference dtypes, no strings, no quantized ones",
    "tf.Tensor": "`shape` is a tuple; NumPy's methods and protocols are there, too",
    "tf.TensorSpec": "`shape` is a tuple, None where the rank is unknown",
    "tf.TensorShape": "sizes are ints and None (no `Dimension`); a value of its own beside tuples",
    "tf.add": _PROMOTES,
    "tf.argsort": f"always stable; {_NAN_LAST}",
    "tf.autograph": "`ag.autograph.convert` converts one function",
    "tf.bitcast": "not of bools and complex numbers",
    "tf.boolean_mask": "`x[mask]` is there, too",
    "tf.cast": "a float that does not fit an integer becomes the least one, as in NumPy",
    "tf.clip_by_value": "either bound may be None",
    "tf.complex": "not of half precision; integers are taken as float64",
    "tf.config": "attributes of one object, see config.md",
    "tf.constant": "a string is refused",
    "tf.cumsum": _OVERFLOW,
    "tf.divide": "integers are divided in float64, int8 and int16 too, as in NumPy",
    "tf.equal": "operands of different dtypes are compared by value",
    "tf.gather": f"{_RANGE_OF_INDICES}; along the first axis by default",
    "tf.gather_nd": f"{_RANGE_OF_INDICES}, the last size of the indices must be known",
    "tf.linspace": "integers give float64; `num` may be a run-time value",
    "tf.math.argmax": "of NaN, the first one",
    "tf.math.bessel_i0": "computed in float64 for every dtype, like all special functions here",
    "tf.math.bincount": "no sparse or ragged tensors",
    "tf.math.ceil": "integers stay as they are",
    "tf.math.confusion_matrix": "a label outside of the classes is an error",
    "tf.math.cumulative_logsumexp": "only of floats",
    "tf.math.digamma": "within 1e-12 of the exact value",
    "tf.math.floordiv": "an integer divided by zero is an error with the user's line",
    "tf.math.lgamma": "within 1e-14, relative to the greater of 1 and the value",
    "tf.math.mod": "an integer divided by zero is an error with the user's line",
    "tf.math.pow": "an integer to a negative power is an error",
    "tf.math.reduce_std": "integers give float64",
    "tf.math.reduce_variance": "integers give float64",
    "tf.math.round": "integers stay as they are",
    "tf.math.segment_mean": "of integers, rounded towards zero",
    "tf.math.segment_sum": "the numbers must be sorted, which is checked",
    "tf.math.sign": "of a complex number `x / abs(x)`; of NaN, NaN",
    "tf.math.sqrt": "integers give floats, as in NumPy",
    "tf.math.top_k": f"always sorted; {_NAN_LAST}",
    "tf.math.truediv": "integers are divided in float64",
    "tf.matmul": "vectors and broadcasting as in NumPy; no sparse arguments, no `output_type`",
    "tf.multiply": _PROMOTES,
    "tf.one_hot": "only of numbers and bools",
    "tf.pad": "`mode` also 'edge' and 'wrap'; 'reflect' may go more than once round the array",
    "tf.pow": "an integer to a negative power is an error",
    "tf.range": "a loop over it counts without storing it",
    "tf.reduce_logsumexp": "minus infinity of nothing",
    "tf.reduce_max": "of nothing it is an error; NaN where there is one",
    "tf.reduce_mean": "of integers, rounded towards zero",
    "tf.reduce_min": "of nothing it is an error; NaN where there is one",
    "tf.reshape": "a view of the array in functions of `ag.jit`",
    "tf.reverse": "all axes where none are given",
    "tf.scatter_nd": f"{_RANGE_OF_INDICES}; updates of one place are added up in order",
    "tf.searchsorted": "a vector is searched for values of any shape, too",
    "tf.sequence_mask": "`maxlen` may be a run-time value",
    "tf.shape": "elements of known sizes are constants",
    "tf.slice": "a part that does not lie inside is an error",
    "tf.sort": _NAN_LAST,
    "tf.split": "sizes may be run-time values, whose number is known",
    "tf.strided_slice": "no `var`: tensors are values",
    "tf.tensor_scatter_nd_update": f"{_RANGE_OF_INDICES}; of several updates the last one counts",
    "tf.tile": "fewer multiples than dimensions are for the last ones",
    "tf.unique": "each NaN is different from every other",
    "tf.where": "operands broadcast, `x` and `y` are promoted",
}
"""What is not quite as in TensorFlow."""

INSTEAD = {
    "tf": {
        "approx_top_k": "`ag.top_k`",
        "batch_to_space": "`reshape` and `transpose`",
        "case": "`if` and `elif` in converted code",
        "cond": "`if` in converted code",
        "control_dependencies": "nothing, as effects happen in program order",
        "conv": "a sum of shifted products",
        "debugging": "`assert` in converted code",
        "edit_distance": "two loops in converted code",
        "eig": "`numpy.linalg.eig` outside of compiled functions",
        "eigvals": "`numpy.linalg.eigvals` outside of compiled functions",
        "executing_eagerly": "`tensor.is_symbolic`",
        "foldl": "a `for` loop",
        "foldr": "a `for` loop over `reversed(x)`",
        "get_static_value": "`tensor.numpy()`, where `tensor.is_symbolic` is false",
        "Graph": "`f.experimental_get_compiler_ir(...)(stage)`",
        "group": "nothing, as effects happen in program order",
        "IndexedSlices": "`ag.gather` and `ag.tensor_scatter_nd_add`",
        "init_scope": "code outside of the function",
        "linalg": "`ag.matmul`, `ag.einsum`; `numpy.linalg` outside of compiled functions",
        "map_fn": "a `for` loop, or an expression on whole arrays",
        "matrix_square_root": "an eigendecomposition outside of compiled functions",
        "Module": "a class of one's own",
        "nest": "Python's containers",
        "nn": "the formula, of `ag.exp`, `ag.maximum` and `ag.einsum`",
        "no_op": "`None`",
        "norm": "`ag.math.reduce_euclidean_norm`",
        "numpy_function": "NumPy's functions outside of the compiled one",
        "print": "`print`, which prints run-time values when the function runs",
        "py_function": "a call outside of the compiled function",
        "random": "`numpy.random` outside of compiled functions",
        "random_index_shuffle": "`numpy.random.permutation` outside of compiled functions",
        "scan": "a `for` loop that appends to a list",
        "space_to_batch": "`reshape` and `transpose`",
        "stop_gradient": "nothing, as there are no gradients",
        "switch_case": "`match` or `if` in converted code",
        "timestamp": "`time.time()` outside of the compiled function",
        "tuple": "Python's tuples",
        "type_spec_from_value": "`ag.TensorSpec.from_tensor`",
        "Variable": "an array that a function of `ag.jit` writes into",
        "variable_creator_scope": "a function that makes the variables",
        "vectorized_map": "an expression on whole arrays",
        "while_loop": "`while` in converted code",
    },
    "tf.math": {
        "approx_max_k": "`ag.top_k`",
        "approx_min_k": "`ag.top_k` of the negated numbers",
        "betainc": "`scipy.special.betainc` outside of compiled functions",
        "igamma": "`scipy.special.gammainc` outside of compiled functions",
        "igammac": "`scipy.special.gammaincc` outside of compiled functions",
        "log_softmax": "`x - ag.reduce_logsumexp(x, -1, keepdims=True)`",
        "polygamma": "`ag.math.digamma` for order 0",
        "sobol_sample": "`scipy.stats.qmc.Sobol` outside of compiled functions",
        "softmax": "`ag.exp(x - ag.reduce_logsumexp(x, -1, keepdims=True))`",
        "special": "`ag.math` for what is there",
        "zeta": "`scipy.special.zeta` outside of compiled functions",
    },
    "tf.linalg": "`ag.einsum` and `ag.matmul`, or `numpy.linalg` outside of compiled functions",
    "tf.nn": "the formula, of `ag.math`, `ag.einsum` and `ag.gather`",
    "tf.random": "`numpy.random` outside of compiled functions",
    "tf.debugging": "`assert` in converted code",
    "tf.nest": "Python's containers, which functions take and return",
    "tf.autograph": {"trace": "`print`"},
    "tf.autograph.experimental": {
        "do_not_convert": "`ag.autograph.do_not_convert`",
        "set_loop_options": "`ag.autograph.set_loop_options`",
        "Feature": "`ag.function(autograph=False)` for no conversion at all",
    },
    "tf.config": {
        "functions_run_eagerly": "the attributes of `ag.config`",
        "run_functions_eagerly": "the function itself, not decorated",
    },
}
"""What to use in the place of names that are not there: of a module, or of each name."""

LEFT_OUT = (
    "gradients (`GradientTape`, `custom_gradient`, `hessians`)",
    "`tf.data` and other input",
    "strings, sparse and ragged tensors, quantized dtypes",
    "devices, distribution and TPUs",
    "Keras, optimizers, saved models, summaries",
    "`tf.raw_ops`, `tf.compat`",
)
"""Subjects that have no counterpart here."""
