// What every client does with every tool: a success, a refusal and, where there is one, a dry run.
//
// `files` are there before the call and `after` (default: the same) is all that may be there
// afterwards, byte for byte. "D/" in the arguments is the scenario's own folder.

const HASH = /^[0-9a-f]{32}$/;
const CRLF = 'one\r\ntwo\r\nthree';

export const SCENARIOS = [
    {
        what: 'file_edit changes a file and keeps its line endings',
        files: { 'a.txt': CRLF },
        tool: 'file_edit',
        args: { path: 'D/a.txt', edits: [{ old_text: 'one\ntwo', new_text: '1\n2' }] },
        structured: { total_replacements: 1, hash: HASH, diff: { lines_added: 2, lines_removed: 2 } },
        after: { 'a.txt': '1\r\n2\r\nthree' },
    },
    {
        what: 'file_edit refuses a wrong count and says where the matches are',
        files: { 'a.txt': 'x = 1\nx = 1\n' },
        tool: 'file_edit',
        args: { path: 'D/a.txt', edits: [{ old_text: 'x = 1', new_text: 'x = 2' }] },
        isError: true,
        text: /^Edit 1 of 1 failed: Expected 1 occurrences but found 2 in /,
        structured: {
            validation_error: {
                type: 'WRONG_COUNT',
                expected_occurrences: 1,
                actual_occurrences: 2,
                match_locations: [{ line_number: 1 }, { line_number: 2 }],
            },
        },
    },
    {
        what: 'file_edit refuses a file that is not there',
        files: {},
        tool: 'file_edit',
        args: { path: 'D/none.txt', edits: [{ old_text: 'a', new_text: 'b' }] },
        isError: true,
        structured: { validation_error: { type: 'FILE_NOT_FOUND', edit_index: -1 } },
    },
    {
        what: 'file_edit in a dry run writes nothing',
        files: { 'a.txt': 'one\n' },
        tool: 'file_edit',
        args: { path: 'D/a.txt', edits: [{ old_text: 'one', new_text: '1' }], dry_run: true },
        structured: { dry_run: true, would_modify: true },
    },
    {
        what: 'edit_file replaces every occurrence',
        files: { 'a.txt': 'a b a\n' },
        tool: 'edit_file',
        args: { file_path: 'D/a.txt', old_string: 'a', new_string: 'c', replace_all: true },
        text: /^Successfully replaced 2 occurrence\(s\) in D\/a\.txt$/m,
        after: { 'a.txt': 'c b c\n' },
    },
    {
        what: 'edit_file refuses what is not unique',
        files: { 'a.txt': 'a b a\n' },
        tool: 'edit_file',
        args: { file_path: 'D/a.txt', old_string: 'a', new_string: 'c' },
        isError: true,
        text: /^Error: old_string appears 2 times in D\/a\.txt\. Use replace_all=True/,
    },
    {
        what: 'edit_file in a dry run writes nothing',
        files: { 'a.txt': 'a\n' },
        tool: 'edit_file',
        args: { file_path: 'D/a.txt', old_string: 'a', new_string: 'c', dry_run: true },
    },
    {
        what: 'read_file answers a range of lines',
        files: { 'a.txt': CRLF },
        tool: 'read_file',
        args: { file_path: 'D/a.txt', start_line: 2, end_line: 2 },
        text: /^two\r\n$/,
    },
    {
        what: 'read_file refuses a file that is not there',
        files: {},
        tool: 'read_file',
        args: { file_path: 'D/none.txt' },
        isError: true,
        text: /^File not found: D\/none\.txt/,
    },
    {
        what: 'write_file writes a whole file, in a folder that it makes',
        files: {},
        tool: 'write_file',
        args: { file_path: 'D/new/a.txt', content: 'grün\n' },
        text: /^Successfully wrote 6 bytes to D\/new\/a\.txt$/m,
        after: { 'new/a.txt': 'grün\n' },
    },
    {
        what: 'write_file refuses a path outside the root',
        files: {},
        tool: 'write_file',
        args: { file_path: '../a.txt', content: 'x' },
        isError: true,
        text: /^Access denied: /,
    },
    {
        what: 'write_file in a dry run writes nothing',
        files: { 'a.txt': 'old\n' },
        tool: 'write_file',
        args: { file_path: 'D/a.txt', content: 'new\n', dry_run: true },
    },
    {
        what: 'create_file creates',
        files: {},
        tool: 'create_file',
        args: { file_path: 'D/a.txt', content: 'new\n' },
        text: /^Successfully created D\/a\.txt$/m,
        after: { 'a.txt': 'new\n' },
    },
    {
        what: 'create_file refuses a file that is there',
        files: { 'a.txt': 'old\n' },
        tool: 'create_file',
        args: { file_path: 'D/a.txt', content: 'new\n' },
        isError: true,
    },
    {
        what: 'create_file in a dry run writes nothing',
        files: {},
        tool: 'create_file',
        args: { file_path: 'D/a.txt', content: 'new\n', dry_run: true },
    },
    {
        what: 'edit_file_lines replaces whole lines',
        files: { 'a.txt': CRLF },
        tool: 'edit_file_lines',
        args: { file_path: 'D/a.txt', start_line: 2, end_line: 2, new_content: '2', expected_text: 'two' },
        after: { 'a.txt': 'one\r\n2\r\nthree' },
    },
    {
        what: 'edit_file_lines refuses a range that holds something else',
        files: { 'a.txt': 'one\ntwo\n' },
        tool: 'edit_file_lines',
        args: { file_path: 'D/a.txt', start_line: 2, end_line: 2, new_content: '2', expected_text: 'one' },
        isError: true,
    },
    {
        what: 'edit_file_lines in a dry run writes nothing',
        files: { 'a.txt': 'one\n' },
        tool: 'edit_file_lines',
        args: { file_path: 'D/a.txt', start_line: 1, end_line: 1, new_content: '1', dry_run: true },
    },
    {
        what: 'preview_edit answers the diff and writes nothing',
        files: { 'a.txt': 'one\ntwo\n' },
        tool: 'preview_edit',
        args: { file_path: 'D/a.txt', old_string: 'two', new_string: '2' },
        text: /^@@ -1,2 \+1,2 @@.*\n one\n-two\n\+2$/m,
    },
    {
        what: 'preview_edit refuses what is not there',
        files: { 'a.txt': 'one\n' },
        tool: 'preview_edit',
        args: { file_path: 'D/a.txt', old_string: 'two', new_string: '2' },
        isError: true,
        text: /^Error: old_string not found in D\/a\.txt/,
    },
    {
        what: 'an unknown argument gets the nearest name',
        files: { 'a.txt': 'one\n' },
        tool: 'edit_file',
        args: { file_path: 'D/a.txt', old_str: 'one', new_string: '1' },
        isError: true,
        text: /old_str\b.*old_string/s,
    },
];

export const TOOLS = ['create_file', 'edit_file', 'edit_file_lines', 'file_edit', 'preview_edit', 'read_file', 'write_file'];
