"""What ``import agir`` finds in the folder that holds a checkout of this name: the front door.

Without this file the checkout would be an empty namespace package there, and that comes before what
an editable installation maps.  It is no part of what is installed.
"""

import os.path as _files
from importlib.machinery import SourceFileLoader as _Loader

if __name__ == "agir":  # and not the name of another folder
    __path__ = [_files.join(_files.dirname(__file__), "agir")]
    __file__ = _files.join(__path__[0], "__init__.py")
    exec(_Loader(__name__, __file__).get_code(__name__), globals())
