// What the server says in a word, said in a sentence.

import { some } from './dom.js';

const CAUSES = {
  not_found: 'The text that was to be replaced is not in the file.',
  ambiguous: 'The text that was to be replaced stands there more often than expected.',
  too_few: 'The text that was to be replaced stands there less often than expected.',
  wrong_count: 'The text stands there another number of times than expected.',
  already_applied: 'The change seems to have been made already.',
  no_change: 'The old text and the new one are the same.',
  empty_search: 'An empty text was searched for.',
  placeholder: 'The new text leaves something out (“… rest unchanged …”).',
  overlap: 'Two edits of the call want the same bytes.',
  encoding: 'The file’s encoding cannot hold the text, or the file is not valid in it.',
  nul: 'A NUL was to be written, or searched for, which matches nothing.',
  range: 'The lines that were named are beyond the file.',
  stale_text: 'The lines no longer hold what was expected there.',
  changed: 'The file is not what the caller had read.',
  twin_name: 'A file whose name only looks the same is there.',
  arguments: 'The arguments of the call are not what the tool takes.',
  unknown_tool: 'There is no such tool here.',
  too_many_edits: 'The call has too many edits.',
  too_large: 'The file is too large.',
  no_such_file: 'There is no such file.',
  no_such_edit: 'There is no such edit to undo or redo.',
  exists: 'The file that was to be made is there already.',
  outside: 'The path leads out of the folders that are served.',
  denied: 'A rule of this server forbids it.',
  permission: 'The system does not permit it.',
  not_a_file: 'That is no regular file.',
  path: 'The path cannot be followed.',
  binary: 'The file is not text.',
  conflict: 'Somebody else changed the file.',
  timeout: 'It took too long: another program holds the file.',
  io: 'Reading or writing failed.',
  unsettled: 'An earlier change of this file waits for a person: emend recover.',
  refused: 'A person said no.',
  unanswered: 'Nobody said yes in time.',
  cannot_ask: 'A person would have to be asked, and nobody can be.',
  page: 'The elements of the page cannot be edited, but its text can.',
  state_dir: 'The folder for locks and the history may not be used for that.',
  cancelled: 'The caller took it back.',
};

const SHORT = { refused: 'said no', unanswered: 'no answer', cannot_ask: 'nobody to ask' };

export const causeWord = (cause) => SHORT[cause] ?? cause.replaceAll('_', ' ');
export const causeSentence = (cause) => CAUSES[cause] ?? '';

const TIERS = {
  whitespace: 'found although blanks or indentation were different',
  token: 'found although it was written differently',
  fuzzy: 'found although it was only similar',
};
export const tierSentence = (tier) => TIERS[tier] ?? '';

const NOTES = {
  no_exchange: 'What somebody else saved in the very moment of the change would have been lost.',
  not_durable: 'It could not be made durable.',
  hard_link: 'A hard link was broken.',
  owner: 'The owner or the group could not be kept.',
  attributes: 'Not all security attributes could be kept.',
  foreign_kept: 'What somebody else wrote to the old file is kept.',
  unsynced: 'It was made without syncing.',
};
export const noteSentence = (note) => NOTES[note] ?? note;

// What kind of thing an element of the timeline is, and how it is marked.
export function kindOf(item) {
  if (item.number !== undefined) return item.cause ? 'refused' : 'edit';
  if (item.role !== 'edit') return item.role;
  return item.kind;
}

// What can be done about a change: an edit can be undone and made again. What undid others can only be undone.
export const verbOf = (edit) => (edit.undone && edit.role === 'edit' ? 'redo' : 'undo');

export const KINDS = {
  edit: { mark: '✎', name: 'Edited' },
  create: { mark: '+', name: 'Created' },
  remove: { mark: '−', name: 'Removed' },
  undo: { mark: '↶', name: 'Undone' },
  redo: { mark: '↷', name: 'Redone' },
  refused: { mark: '✕', name: 'Refused' },
};

export const numberOf = (id) => id.slice(0, id.indexOf('-') < 0 ? undefined : id.indexOf('-'));

export function filesWords(files, total = files.length) {
  if (files.length === 0) return '';
  return total === 1 ? files[0].rel : `${files[0].rel} and ${some(total - 1, 'other file')}`;
}
