/** What tells people that the operator can do something tells the operator to do it. */
export function sayToOperator(message: string): string {
  return message.replaceAll(
    /\bThe operator(?: of the platform)? (?:(?:can|has to) ([a-z]+)|(does|adds|gives))\b/g,
    (_, bare: string | undefined, third: string | undefined) => capitalised(bare ?? bareForms[third!]!),
  );
}

const bareForms: Record<string, string> = { does: 'do', adds: 'add', gives: 'give' };

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
