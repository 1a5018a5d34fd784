/** Marks that turn or hide what stands around them, and those that nobody can type. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A name as it can be read and typed: what would not be seen is written out, and white space is one space. */
export function visibleName(name: string): string {
  return writeOut(collapse(name), HIDDEN);
}

/**
 * Those that turn round whatever stands around them, and those that make two names look like one. A joiner is neither:
 * some scripts and signs need it.
 */
const DECEIVING =
  /(?![\t\n\r])[\p{Cc}\xAD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0]/gu;

/** For what others wrote and is only read: it must not turn round the words beside it, nor hide a part of itself. */
export function showMarks(text: string): string {
  return writeOut(text, DECEIVING);
}

/** Whether somebody typed the name that they were shown. */
export function isSameName(typed: string, shown: string): boolean {
  return collapse(typed).normalize() === shown.normalize();
}

function writeOut(text: string, marks: RegExp): string {
  return text.replace(marks, (mark) => `[U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`);
}

function collapse(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
