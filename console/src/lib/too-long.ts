/**
 * Why it is not sent, or nothing where it may be. A field that cuts what is pasted into it says nothing of that: a
 * password would be another one, and a statement would do something else.
 */
export function tooLong(text: string, longest: number): string {
  if (text.length <= longest) return '';
  return `This is too long: it has ${inThousands(text.length)} characters, and ${inThousands(longest)} is the most.`;
}

function inThousands(count: number): string {
  return count.toLocaleString('en-GB');
}
