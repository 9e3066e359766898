"""Clause catalogue, golden vectors and schemas as data, and a loader.

The JSON files beside this module are the substance, made to be used from any language;
`vectors/README.md` in the source tree explains them. The functions here read them for
Python, with nothing but the standard library; `check_vectors` needs jsonschema.
"""

from ._data import (
    load_clauses,
    load_corpus,
    load_model,
    load_properties,
    load_schema,
    load_setup,
    load_toolset,
    load_vectors,
    protocols,
    vectors_sha256,
)
from ._file import load_vector_file
from ._grammar import check_vectors
from ._model import (
    JSON,
    Clause,
    ClausePart,
    CorpusValue,
    Exclusion,
    Kind,
    Level,
    Property,
    Source,
    ToolSpec,
    Vector,
    VectorError,
)
from ._places import values_at

__all__ = [
    "JSON",
    "Clause",
    "ClausePart",
    "CorpusValue",
    "Exclusion",
    "Kind",
    "Level",
    "Property",
    "Source",
    "ToolSpec",
    "Vector",
    "VectorError",
    "check_vectors",
    "load_clauses",
    "load_corpus",
    "load_model",
    "load_properties",
    "load_schema",
    "load_setup",
    "load_toolset",
    "load_vector_file",
    "load_vectors",
    "protocols",
    "values_at",
    "vectors_sha256",
]
