"""Registries that sanitise calls wrongly: INT-Z1 to Z12."""

from __future__ import annotations

import copy
import json
import re
from contextlib import suppress
from typing import Any

from tests.proof.interop.subject import (
    ArgumentsSubject,
    Json,
    Subject,
    TextSubject,
    broken,
)

from wireproof_reference.framing import MAX_DEPTH

FUNCTIONS = ("function", "function_call")
CUSTOM = ("custom", "custom_tool_call")

DEEPEST_WALK = 150

NO_OBJECT = {"INT-Z1": "what is left is no JSON object"}


def is_deep(text: str) -> bool:
    """Whether a text nests deeply: those have clauses of their own."""
    return text.count("[") > MAX_DEPTH // 10 or text.count("{") > MAX_DEPTH // 10


class RepairingSubject(TextSubject):
    """Mends texts that are no JSON, where the reference empties them."""

    def repaired(self, text: str) -> str:
        """Return what the text becomes."""
        raise NotImplementedError

    def text(self, text: str, right: str) -> Any:
        if text in ("", right) or is_deep(text):
            return right
        mended = self.repaired(text)
        return mended if _takes(mended) else right


class LenientSubject(TextSubject):
    """Keeps texts that its own parser takes for an object."""

    def takes(self, text: str) -> bool:
        """Whether the parser takes a text that is no JSON object."""
        raise NotImplementedError

    def text(self, text: str, right: str) -> Any:
        return text if text != right and self.takes(text) else right


# --- INT-Z1


@broken(
    "objects-for-texts",
    "INT-Z1",
    "gives valid arguments as an object",
)
class ObjectsForTexts(TextSubject):
    def text(self, text: str, right: str) -> Any:
        if text == right != "{}" and not is_deep(text):
            return json.loads(text)
        return right


@broken(
    "empty-for-empty",
    "INT-Z1",
    "keeps an empty text",
)
class EmptyForEmpty(TextSubject):
    def text(self, text: str, right: str) -> Any:
        return right if text else text


@broken(
    "null-for-fragments",
    "INT-Z1",
    "makes null of a fragment",
)
class NullForFragments(TextSubject):
    def text(self, text: str, right: str) -> Any:
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            return right if is_deep(text) or not text else "null"
        return right


# --- INT-Z2


@broken(
    "keeps-fragments",
    "INT-Z2",
    "leaves a fragment as it is",
)
class KeepsFragments(LenientSubject):
    def takes(self, text: str) -> bool:
        return (
            text.startswith("{")
            and text.count("{") > text.count("}")
            and not is_deep(text)
        )


@broken("closes-brackets", "INT-Z2", "closes what is open in a fragment")
class ClosesBrackets(RepairingSubject):
    def repaired(self, text: str) -> str:
        if text.count('"') % 2:
            text += '"'
        text = re.sub(r",\s*$", "", text)
        if text.rstrip().endswith(":"):
            text += "null"
        return text + "]" * (text.count("[") - text.count("]")) + "}"


@broken(
    "cuts-at-the-last-pair",
    "INT-Z2",
    "keeps the pairs before the cut",
)
class CutsAtTheLastPair(RepairingSubject):
    def repaired(self, text: str) -> str:
        return text.rpartition(",")[0] + "}"


@broken("finds-the-object", "INT-Z7", "looks for an object in prose", level="should")
class FindsTheObject(RepairingSubject):
    def repaired(self, text: str) -> str:
        found = re.search(r"\{.*\}", text, re.DOTALL)
        return found[0] if found else text


@broken("python-words", "INT-Z7", "reads True, False and None", level="should")
class PythonWords(RepairingSubject):
    def repaired(self, text: str) -> str:
        for word, right in (("True", "true"), ("False", "false"), ("None", "null")):
            text = text.replace(word, right)
        return text


@broken(
    "raw-argument",
    "INT-Z2",
    "puts a fragment into an object as it is",
)
class RawArgument(TextSubject):
    def text(self, text: str, right: str) -> Any:
        if text != right and text.startswith("{") and not is_deep(text):
            return json.dumps({"raw": text})
        return right


@broken(
    "checks-the-ends",
    "INT-Z2",
    "takes what begins and ends with braces for whole",
)
class ChecksTheEnds(LenientSubject):
    def takes(self, text: str) -> bool:
        return text.startswith("{") and text.endswith("}")


@broken("leading-zeros", "INT-Z7", "takes numbers with leading zeros")
class LeadingZeros(LenientSubject):
    def takes(self, text: str) -> bool:
        return _takes(re.sub(r":\s*0+(?=\d)", ":", text))


@broken("capital-literals", "INT-Z7", "takes literals in capitals")
class CapitalLiterals(LenientSubject):
    def takes(self, text: str) -> bool:
        return _takes(
            re.sub(r"\b(TRUE|True|FALSE|False|NULL|Null|None)\b", "null", text)
        )


@broken("wrong-escapes", "INT-Z7", "takes any letter after a backslash")
class WrongEscapes(LenientSubject):
    def takes(self, text: str) -> bool:
        return _takes(re.sub(r"\\([^\"\\/bfnrtu])", r"\1", text))


@broken(
    "long-texts-unchecked",
    "INT-Z2",
    "does not check texts of more than 4 KiB",
)
class LongTextsUnchecked(LenientSubject):
    def takes(self, text: str) -> bool:
        return len(text) > 4096


def _takes(text: str) -> bool:
    if is_deep(text):
        return False
    try:
        text.encode()
        return isinstance(json.loads(text, parse_constant=_refuse), dict)
    except ValueError:
        return False


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


# --- INT-Z3


class ChangingSubject(TextSubject):
    """Changes texts that the reference keeps, where they are not deep."""

    def changed(self, text: str) -> str:
        """Return what the text becomes."""
        raise NotImplementedError

    def text(self, text: str, right: str) -> Any:
        return self.changed(text) if text == right and not is_deep(text) else right


@broken(
    "sanitising-re-encodes",
    "INT-Z3",
    "encodes valid arguments again",
)
class SanitisingReEncodes(ChangingSubject):
    def changed(self, text: str) -> str:
        return json.dumps(json.loads(text), separators=(",", ":"))


@broken("sanitising-strips", "INT-Z3", "strips white space around valid arguments")
class SanitisingStrips(ChangingSubject):
    def changed(self, text: str) -> str:
        return text.strip()


@broken("sanitising-sorts", "INT-Z3", "sorts keys")
class SanitisingSorts(ChangingSubject):
    def changed(self, text: str) -> str:
        pairs = json.loads(text, object_pairs_hook=list)
        keys = [key for key, _ in pairs]
        if keys == sorted(keys) or len(set(keys)) < len(keys):
            return text
        return json.dumps(json.loads(text), sort_keys=True)


@broken("sanitising-unescapes", "INT-Z3", "writes characters for their escapes")
class SanitisingUnescapes(ChangingSubject):
    def changed(self, text: str) -> str:
        return re.sub(
            r"(?<!\\)\\u00([4-6][0-9a-fA-F])", lambda one: chr(int(one[1], 16)), text
        )


@broken("unescapes-slashes", "INT-Z3", "writes / for \\/")
class UnescapesSlashes(ChangingSubject):
    def changed(self, text: str) -> str:
        return text.replace("\\/", "/")


@broken("big-numbers-emptied", "INT-Z3", "empties what holds more digits than a double")
class BigNumbersEmptied(ChangingSubject):
    def changed(self, text: str) -> str:
        return "{}" if re.search(r"\d{20}", text) else text


@broken("line-separators-emptied", "INT-Z3", "splits arguments at line separators")
class LineSeparatorsEmptied(ChangingSubject):
    def changed(self, text: str) -> str:
        return text if "\u2028" not in text else "{}"


@broken("delete-emptied", "INT-Z3", "takes the delete character for a control")
class DeleteEmptied(ChangingSubject):
    def changed(self, text: str) -> str:
        return text if "\x7f" not in text else "{}"


@broken("lookalikes-emptied", "INT-Z3", "looks for NaN in the text")
class LookalikesEmptied(ChangingSubject):
    def changed(self, text: str) -> str:
        return "{}" if re.search("NaN|Infinity|//", text) else text


@broken("long-texts-emptied", "INT-Z3", "empties texts of more than 4 KiB")
class LongTextsEmptied(ChangingSubject):
    def changed(self, text: str) -> str:
        return "{}" if len(text) > 4096 else text


@broken("boms-emptied", "INT-Z3", "empties what has a BOM in a string")
class BomsEmptied(ChangingSubject):
    def changed(self, text: str) -> str:
        return "{}" if "\ufeff" in text else text


@broken("empty-object-respelled", "INT-Z3", "spells an object without members {}")
class EmptyObjectRespelled(ChangingSubject):
    def changed(self, text: str) -> str:
        return "{}" if not json.loads(text) else text


@broken("ascii-only", "INT-Z3", "escapes what is not ASCII")
class AsciiOnly(ChangingSubject):
    def changed(self, text: str) -> str:
        return "".join(one if one.isascii() else json.dumps(one)[1:-1] for one in text)


# --- INT-Z4


class KeptSubject(Subject):
    """Changes sanitised chat function calls, arguments aside."""

    def kept(self, made: Json, call: Json) -> Any:
        """Return what is given in place of this call."""
        raise NotImplementedError

    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        if call.get("type") == "function" and isinstance(call.get("function"), dict):
            return self.kept(made, call)
        return made


@broken(
    "drops-the-id",
    "INT-Z4",
    "loses the id",
)
class DropsTheId(KeptSubject):
    def kept(self, made: Json, call: Json) -> Any:
        if made["function"].get("name"):
            made.pop("id", None)
        return made


@broken("drops-the-name", "INT-Z4", "loses the name of a call without arguments")
class DropsTheName(KeptSubject):
    def kept(self, made: Json, call: Json) -> Any:
        if "arguments" not in call["function"]:
            made["function"].pop("name", None)
        return made


@broken("cleans-ids", "INT-Z4", "spells odd ids in its own way")
class CleansIds(KeptSubject):
    def kept(self, made: Json, call: Json) -> Any:
        if isinstance(made.get("id"), str):
            made["id"] = re.sub(r"[^\w-]", "_", made["id"])
        return made


@broken(
    "marks-the-type",
    "INT-Z4",
    "gives a call that was emptied another type",
)
class MarksTheType(KeptSubject):
    def kept(self, made: Json, call: Json) -> Any:
        if made["function"] != call["function"]:
            made["type"] = "invalid_function"
        return made


@broken(
    "emptied-is-new",
    "INT-Z4",
    "makes a new function with arguments alone",
)
class EmptiedIsNew(KeptSubject):
    def kept(self, made: Json, call: Json) -> Any:
        given = call["function"].get("arguments")
        if isinstance(given, str) and given != made["function"]["arguments"]:
            made["function"] = {"arguments": "{}"}
        return made


# --- INT-Z5


@broken(
    "changes-its-input", "INT-Z5", "mends the call that it is given", level="should"
)
class ChangesItsInput(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        call.update(copy.deepcopy(made) if len(call) < 9 else {})
        return made


@broken(
    "changes-the-function",
    "INT-Z5",
    "mends the function that it is given",
    level="should",
)
class ChangesTheFunction(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        function = call.get("function")
        if call.get("type") == "function" and isinstance(function, dict):
            function["arguments"] = made["function"]["arguments"]
        return made


@broken(
    "marks-each-time",
    "INT-Z5",
    "marks a call each time",
)
class MarksEachTime(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        if made != call or "sanitized" in made:
            made["sanitized"] = made.get("sanitized", 0) + 1
        return made


@broken(
    "wants-a-type-that-hashes", "INT-Z5", "fails where the type is an array or object"
)
class WantsATypeThatHashes(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        hash(call.get("type"))
        return super().sanitize_tool_call(call)


@broken("wants-a-text-as-type", "INT-Z5", "fails where the type is no text")
class WantsATextAsType(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        if "type" in call:
            call["type"].startswith("function")
        return super().sanitize_tool_call(call)


@broken("wants-something", "INT-Z5", "fails at an empty object")
class WantsSomething(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        next(iter(call))
        return super().sanitize_tool_call(call)


@broken("wants-an-input", "INT-Z5", "fails at a custom call without input")
class WantsAnInput(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        if call.get("type") == "custom_tool_call":
            str.strip(call["input"])
        return super().sanitize_tool_call(call)


@broken("wants-a-custom", "INT-Z5", "fails at a chat custom call without its body")
class WantsACustom(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        if call.get("type") == "custom":
            call["custom"].get("input")
        return super().sanitize_tool_call(call)


@broken("wants-a-name", "INT-Z5", "fails where a name is no text")
class WantsAName(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        function = call.get("function")
        if isinstance(function, dict):
            str.strip(function.get("name", ""))
        return super().sanitize_tool_call(call)


@broken("walks-by-recursion", "INT-Z5", "overflows the stack at a deep object")
class WalksByRecursion(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        _walk(call, 0)
        return super().sanitize_tool_call(call)


def _walk(value: Any, depth: int) -> None:
    if depth > DEEPEST_WALK:
        raise RecursionError("maximum recursion depth exceeded")
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            _walk(one, depth + 1)


@broken("one-form-only", "INT-Z5", "fails where a call has the keys of both forms")
class OneFormOnly(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        if "call_id" in call and "function" in call:
            raise ValueError("it has both forms")
        return super().sanitize_tool_call(call)


# --- INT-Z6


@broken(
    "keeps-arrays",
    "INT-Z6",
    "keeps a text that is an array",
)
class KeepsArrays(LenientSubject):
    def takes(self, text: str) -> bool:
        return text.startswith("[") and text.endswith("]") and _is_json(text)


@broken(
    "keeps-any-json",
    "INT-Z6",
    "keeps any text that is JSON",
)
class KeepsAnyJson(LenientSubject):
    def takes(self, text: str) -> bool:
        return _is_json(text)


@broken(
    "decodes-texts-in-texts",
    "INT-Z6",
    "takes an object in a text out of it",
    level="should",
)
class DecodesTextsInTexts(TextSubject):
    def text(self, text: str, right: str) -> Any:
        if text.startswith('"{') and _is_json(text):
            found = json.loads(text)
            return found if _takes(found) else right
        return right


@broken("first-of-an-array", "INT-Z6", "takes the object out of an array of one")
class FirstOfAnArray(TextSubject):
    def text(self, text: str, right: str) -> Any:
        if text.startswith("[{") and text.endswith("}]") and _takes(text[1:-1]):
            return text[1:-1]
        return right


@broken("keeps-null", "INT-Z6", "keeps arguments of null")
class KeepsNull(ArgumentsSubject):
    def arguments(self, given: Any, right: str) -> Any:
        return right if given is not None else None


@broken(
    "absent-stays-absent",
    "INT-Z6",
    "adds no arguments where there are none",
)
class AbsentStaysAbsent(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        function = call.get("function")
        if (
            call.get("type") == "function"
            and isinstance(function, dict)
            and "arguments" not in function
        ):
            del made["function"]["arguments"]
        return made


@broken("objects-stay-objects", "INT-Z6", "keeps arguments that are an object")
class ObjectsStayObjects(ArgumentsSubject):
    def arguments(self, given: Any, right: str) -> Any:
        return given if isinstance(given, dict) else right


@broken("arrays-as-text", "INT-Z6", "writes arguments that are an array as JSON")
class ArraysAsText(ArgumentsSubject):
    def arguments(self, given: Any, right: str) -> Any:
        return json.dumps(given) if isinstance(given, list) else right


@broken(
    "objects-as-python",
    "INT-Z6",
    "writes arguments that are an object as Python does",
)
class ObjectsAsPython(ArgumentsSubject):
    def arguments(self, given: Any, right: str) -> Any:
        return str(given) if isinstance(given, dict) and given else right


@broken("ascii-questions", "INT-Z6", "loses what is not ASCII of an object")
class AsciiQuestions(ArgumentsSubject):
    def arguments(self, given: Any, right: str) -> Any:
        if isinstance(given, dict):
            return right.encode("ascii", "replace").decode()
        return right


@broken("zero-is-a-text", "INT-Z6", "writes a number as its digits")
class ZeroIsAText(ArgumentsSubject):
    def arguments(self, given: Any, right: str) -> Any:
        return str(given) if isinstance(given, int | float) else right


@broken("no-function-no-function", "INT-Z6", "adds no function where there is none")
class NoFunctionNoFunction(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        if call.get("type") == "function" and "function" not in call:
            del made["function"]
        return made


@broken(
    "odd-functions-stay",
    "INT-Z6",
    "keeps a function that is no object",
)
class OddFunctionsStay(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        if call.get("type") == "function" and not isinstance(
            call.get("function", {}), dict
        ):
            made["function"] = call["function"]
        return made


def _is_json(text: str) -> bool:
    if is_deep(text):
        return False
    try:
        text.encode()
        json.loads(text, parse_constant=_refuse)
    except ValueError:
        return False
    return True


# --- INT-Z7


class OddSubject(LenientSubject):
    """Keeps a text that is an object once it has been cleaned."""

    def cleaned(self, text: str) -> str:
        """Return the JSON that the parser sees in the text."""
        raise NotImplementedError

    def takes(self, text: str) -> bool:
        return _takes(self.cleaned(text))


@broken(
    "takes-nan",
    "INT-Z7",
    "takes NaN and Infinity, as Python's parser does",
    level="should",
)
class TakesNan(LenientSubject):
    def takes(self, text: str) -> bool:
        try:
            return not is_deep(text) and isinstance(json.loads(text), dict)
        except ValueError:
            return False


@broken("takes-trailing-commas", "INT-Z7", "takes trailing commas")
class TakesTrailingCommas(OddSubject):
    def cleaned(self, text: str) -> str:
        return re.sub(r",\s*([}\]])", r"\1", text)


@broken("drops-trailing-commas", "INT-Z7", "takes trailing commas away", level="should")
class DropsTrailingCommas(RepairingSubject):
    def repaired(self, text: str) -> str:
        return re.sub(r",\s*([}\]])", r"\1", text)


@broken("takes-comments", "INT-Z7", "takes comments")
class TakesComments(OddSubject):
    def cleaned(self, text: str) -> str:
        return re.sub(r"/\*.*?\*/|(//|#).*", "", text)


@broken("takes-single-quotes", "INT-Z7", "takes single quotes")
class TakesSingleQuotes(OddSubject):
    def cleaned(self, text: str) -> str:
        return text.replace("'", '"')


@broken("takes-bare-keys", "INT-Z7", "takes keys without quotes")
class TakesBareKeys(OddSubject):
    def cleaned(self, text: str) -> str:
        return re.sub(r"([{,]\s*)([a-zA-Z_]\w*)\s*:", r'\1"\2":', text)


@broken(
    "takes-the-first",
    "INT-Z7",
    "reads the first value and no further",
)
class TakesTheFirst(LenientSubject):
    def takes(self, text: str) -> bool:
        if is_deep(text):
            return False
        try:
            found, _ = json.JSONDecoder(parse_constant=_refuse).raw_decode(text)
        except ValueError:
            return False
        return isinstance(found, dict)


@broken("takes-a-bom", "INT-Z7", "takes a BOM")
class TakesABom(OddSubject):
    def cleaned(self, text: str) -> str:
        return text.removeprefix("\ufeff")


@broken("strips-a-bom", "INT-Z7", "takes a BOM away", level="should")
class StripsABom(RepairingSubject):
    def repaired(self, text: str) -> str:
        return text.strip("\ufeff")


@broken("takes-controls", "INT-Z7", "takes raw controls in strings")
class TakesControls(LenientSubject):
    def takes(self, text: str) -> bool:
        if is_deep(text):
            return False
        try:
            decoder = json.JSONDecoder(strict=False, parse_constant=_refuse)
            return isinstance(decoder.decode(text), dict)
        except ValueError:
            return False


@broken(
    "takes-any-space", "INT-Z7", "takes any white space that there is", level="should"
)
class TakesAnySpace(OddSubject):
    def cleaned(self, text: str) -> str:
        return re.sub(r"[\xa0\f\v\u2000-\u200a]", " ", text)


@broken("takes-hexadecimal", "INT-Z7", "takes hexadecimal numbers")
class TakesHexadecimal(OddSubject):
    def cleaned(self, text: str) -> str:
        return re.sub(r"0x[0-9a-fA-F]+", "1", text)


@broken("takes-underscores", "INT-Z7", "takes underscores in numbers")
class TakesUnderscores(OddSubject):
    def cleaned(self, text: str) -> str:
        return re.sub(r"(?<=\d)_(?=\d)", "", text)


@broken("takes-extra-commas", "INT-Z7", "takes commas with nothing between")
class TakesExtraCommas(OddSubject):
    def cleaned(self, text: str) -> str:
        return re.sub(r",\s*,", ",", text).replace("{,", "{")


@broken("takes-nul-after", "INT-Z7", "takes what comes before NUL")
class TakesNulAfter(OddSubject):
    def cleaned(self, text: str) -> str:
        return text.partition("\0")[0]


@broken(
    "takes-lone-surrogates",
    "INT-Z7",
    "takes half a surrogate pair",
    bridged=False,
    level="should",
)
class TakesLoneSurrogates(LenientSubject):
    def takes(self, text: str) -> bool:
        return text.startswith("{") and re.search("[\ud800-\udfff]", text) is not None


@broken(
    "replaces-lone-surrogates",
    "INT-Z7",
    "puts a question mark for half a pair",
    bridged=False,
    level="should",
)
class ReplacesLoneSurrogates(RepairingSubject):
    def repaired(self, text: str) -> str:
        return text.encode("utf-8", "replace").decode()


@broken(
    "digits-of-all-scripts",
    "INT-Z7",
    "takes what Unicode calls a digit for one",
    level="should",
)
class DigitsOfAllScripts(TextSubject):
    def text(self, text: str, right: str) -> Any:
        if is_deep(text) or text.isascii() or right != "{}":
            return right
        western = re.sub(r"\d", lambda digit: str(int(digit[0])), text)
        return text if western != text and is_object_text(western) else right


def is_object_text(text: str) -> bool:
    """Tell whether a text is that of a JSON object."""
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


# --- INT-Z8


class RawSubject(Subject):
    """Changes the raw input of custom calls."""

    def raw(self, text: str) -> Any:
        """Return what the input becomes."""
        raise NotImplementedError

    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        if call.get("type") in CUSTOM:
            body: Any = call.get("custom", call)
            if isinstance(body, dict) and isinstance(body.get("input"), str):
                changed = {**body, "input": self.raw(body["input"])}
                return {**made, "custom": changed} if "custom" in call else changed
        return made


@broken("empties-raw-input", "INT-Z8", "makes {} of raw input that is no JSON")
class EmptiesRawInput(RawSubject):
    def raw(self, text: str) -> Any:
        return text if _takes(text) else "{}"


@broken("empties-broken-input", "INT-Z8", "makes {} of raw input that begins as JSON")
class EmptiesBrokenInput(RawSubject):
    def raw(self, text: str) -> Any:
        return "{}" if text.startswith("{") and not _takes(text) else text


@broken("re-encodes-raw-input", "INT-Z8", "encodes raw input that is JSON again")
class ReEncodesRawInput(RawSubject):
    def raw(self, text: str) -> Any:
        return (
            json.dumps(json.loads(text), separators=(",", ":"))
            if _is_json(text)
            else text
        )


@broken(
    "gives-input-arguments",
    "INT-Z8",
    "adds arguments to a custom item",
)
class GivesInputArguments(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        if call.get("type") == "custom_tool_call":
            made.setdefault("arguments", "{}")
        return made


@broken("custom-becomes-function", "INT-Z8", "makes a function call of a custom call")
class CustomBecomesFunction(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        if call.get("type") == "custom_tool_call" and isinstance(
            call.get("input"), str
        ):
            arguments = json.dumps({"input": call["input"]})
            return {**call, "type": "function_call", "arguments": arguments}
        return super().sanitize_tool_call(call)


@broken("strips-raw-input", "INT-Z8", "strips raw input")
class StripsRawInput(RawSubject):
    def raw(self, text: str) -> Any:
        return text.strip()


# --- INT-Z9


class ItemSubject(Subject):
    """Sanitises the arguments of Responses items in its own way."""

    def item(self, call: Json, made: Json) -> Any:
        """Return what is given for the item."""
        raise NotImplementedError

    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        if call.get("type") == "function_call" and not is_deep(
            str(call.get("arguments", ""))[:9999]
        ):
            return self.item(call, made)
        return made


@broken("knows-chat-alone", "INT-Z9", "leaves Responses items as they are")
class KnowsChatAlone(ItemSubject):
    def item(self, call: Json, made: Json) -> Any:
        return dict(call)


@broken(
    "nests-items",
    "INT-Z9",
    "adds a function to a Responses item",
)
class NestsItems(ItemSubject):
    def item(self, call: Json, made: Json) -> Any:
        return {**made, "function": {"arguments": "{}"}}


@broken("re-encodes-items", "INT-Z9", "encodes the arguments of items again")
class ReEncodesItems(ItemSubject):
    def item(self, call: Json, made: Json) -> Any:
        return {**made, "arguments": json.dumps(json.loads(made["arguments"]))}


@broken("keeps-fragments-of-items", "INT-Z9", "keeps the fragments of items")
class KeepsFragmentsOfItems(ItemSubject):
    def item(self, call: Json, made: Json) -> Any:
        given = call.get("arguments")
        if isinstance(given, str) and given.startswith("{"):
            return {**made, "arguments": given}
        return made


@broken(
    "items-without-id",
    "INT-Z9",
    "loses the ids of items",
)
class ItemsWithoutId(ItemSubject):
    def item(self, call: Json, made: Json) -> Any:
        made.pop("id", None)
        return made


@broken("item-arguments-absent", "INT-Z9", "adds no arguments to an item without")
class ItemArgumentsAbsent(ItemSubject):
    def item(self, call: Json, made: Json) -> Any:
        if "arguments" not in call:
            del made["arguments"]
        return made


@broken(
    "items-become-chat",
    "INT-Z9",
    "makes a chat call of an item",
)
class ItemsBecomeChat(ItemSubject):
    def item(self, call: Json, made: Json) -> Any:
        function = {"name": made.get("name"), "arguments": made["arguments"]}
        return {"id": made.get("call_id"), "type": "function", "function": function}


# --- INT-Z10


@broken("recursion-error", "INT-Z10", "fails where its parser overflows the stack")
class RecursionFails(TextSubject):
    def text(self, text: str, right: str) -> Any:
        with suppress(ValueError):
            json.loads(text)
        return right


@broken(
    "closes-what-is-deep",
    "INT-Z10",
    "closes deep text that is open",
)
class ClosesWhatIsDeep(TextSubject):
    def text(self, text: str, right: str) -> Any:
        if is_deep(text) and not text.endswith("}"):
            return text + "}"
        return right


@broken(
    "nulls-what-is-deep",
    "INT-Z10",
    "gives null for what is deep",
)
class NullsWhatIsDeep(TextSubject):
    def text(self, text: str, right: str) -> Any:
        return None if is_deep(text) and len(text) > 9999 else right


@broken("deep-in-items", "INT-Z10", "fails at deep items")
class DeepInItems(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        if call.get("type") == "function_call":
            with suppress(ValueError):
                json.loads(str(call.get("arguments")))
        return super().sanitize_tool_call(call)


@broken("shallow", "INT-Z10", "empties what is 128 deep", level="should")
class Shallow(TextSubject):
    def text(self, text: str, right: str) -> Any:
        deep = re.search(r"\[{128}|(\{\"[^\"]*\":){128}", text)
        return "{}" if deep else right


# --- INT-Z11


@broken("last-key-wins", "INT-Z11", "keeps one of two equal keys", level="should")
class LastKeyWins(ChangingSubject):
    def changed(self, text: str) -> str:
        # As numbers of a double: Python takes no integer of thousands of digits.
        found = json.loads(text, parse_int=float)
        pairs = json.loads(text, object_pairs_hook=list, parse_int=float)
        return json.dumps(found) if len(pairs) > len(found) else text


@broken("twice-is-broken", "INT-Z11", "empties what has a key twice", level="should")
class TwiceIsBroken(ChangingSubject):
    def changed(self, text: str) -> str:
        found = json.loads(text, parse_int=float)
        pairs = json.loads(text, object_pairs_hook=list, parse_int=float)
        return "{}" if len(pairs) > len(found) else text


# --- INT-Z12


class OtherSubject(Subject):
    """Changes what is no call."""

    def other(self, call: Json) -> Any:
        """Return what is given for it."""
        raise NotImplementedError

    def sanitize_tool_call(self, call: Any) -> Any:
        kind = call.get("type")
        known = (*FUNCTIONS, *CUSTOM)
        if isinstance(kind, str) and kind not in known and len(call) > 1:
            return self.other(dict(call))
        return super().sanitize_tool_call(call)


@broken(
    "empties-other-arguments",
    "INT-Z12",
    "sanitises arguments of whatever type",
)
class EmptiesOtherArguments(OtherSubject):
    def other(self, call: Json) -> Any:
        if "arguments" in call:
            call["arguments"] = "{}"
        return call


@broken("empties-other-functions", "INT-Z12", "sanitises functions of whatever type")
class EmptiesOtherFunctions(OtherSubject):
    def other(self, call: Json) -> Any:
        if "function" in call:
            call["function"] = {**call["function"], "arguments": "{}"}
        return call


@broken("adds-arguments-to-all", "INT-Z12", "adds arguments to whatever it is given")
class AddsArgumentsToAll(OtherSubject):
    def other(self, call: Json) -> Any:
        return {"arguments": "{}", **call}


@broken("drops-others", "INT-Z12", "gives {} for what is no call")
class DropsOthers(OtherSubject):
    def other(self, call: Json) -> Any:
        return {}


@broken(
    "refuses-others",
    "INT-Z12",
    "refuses what is no call",
)
class RefusesOthers(OtherSubject):
    def other(self, call: Json) -> Any:
        raise ValueError("it is no call")


@broken(
    "wants-a-type",
    "INT-Z12",
    "leaves a call without type alone",
)
class WantsAType(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        if "type" not in call:
            return dict(call)
        return super().sanitize_tool_call(call)


@broken("adds-a-type", "INT-Z12", "adds a type where there is none")
class AddsAType(Subject):
    def sanitize_tool_call(self, call: Any) -> Any:
        made: Any = super().sanitize_tool_call(call)
        if "type" not in call and isinstance(call.get("function"), dict):
            return {"type": "tool", **made}
        return made
