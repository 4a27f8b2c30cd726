#!/usr/bin/env python3
"""Writes files into a C source, as bytes: embed.py OUTPUT FILE...

index.html is at "/", every other file at "/page/NAME".
"""
import hashlib
import sys
from pathlib import Path

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
BYTES_IN_LINE = 24


def bytes_of(data):
    rows = (data[at:at + BYTES_IN_LINE] for at in range(0, len(data), BYTES_IN_LINE))
    return ",\n".join("    " + ",".join(map(str, row)) for row in rows)


def main():
    output, *names = map(Path, sys.argv[1:])
    arrays, rows = [], []
    for index, name in enumerate(sorted(names)):
        data = name.read_bytes()
        path = "/" if name.name == "index.html" else f"/page/{name.name}"
        etag = hashlib.sha256(data).hexdigest()[:32]
        arrays.append(f"static const unsigned char file_{index}[] = {{\n{bytes_of(data)}}};\n")
        rows.append(f'    {{"{path}", "{TYPES[name.suffix]}", "\\"{etag}\\"",'
                    f" {{(const char *)file_{index}, sizeof file_{index}}}}},\n")
    output.write_text('#include "review/page.h"\n\n' + "\n".join(arrays) +
                      "\nconst em_page_file em_page_files[] = {\n" + "".join(rows) +
                      "    {0},\n};\n", encoding="utf-8")


if __name__ == "__main__":
    main()
