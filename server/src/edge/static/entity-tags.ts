/** Whether the list names the tag, or all: `*`. Weakness is of no account (RFC 9110, 8.8.3.2). */
export function namesTagWeakly(list: string, tag: string): boolean {
  return list.trim() === '*' || tagsOf(list).some((each) => each.replace(/^W\//, '') === tag);
}

/** As above, but a weak tag is never the same as another. */
export function namesTagStrongly(list: string, tag: string): boolean {
  return list.trim() === '*' || tagsOf(list).includes(tag);
}

function tagsOf(list: string): string[] {
  return list.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
