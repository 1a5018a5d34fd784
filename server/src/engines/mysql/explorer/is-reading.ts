/** Those that the server runs are none. */
const COMMENT = String.raw`\/\*(?!M?!)[^]*?\*\/|(?:#|--(?=\s))[^\n]*(?:\n|$)`;
const BEFORE = String.raw`(?:[\s(]|${COMMENT})*`;
const QUERY = String.raw`(?:select|with|values)\b`;
/** It runs what it explains, and of a table it writes down what it has counted. */
const ANALYSED = String.raw`analyze\s+(?:format\s*=\s*\w+\s+)?[\s(]*${QUERY}`;

const READING = new RegExp(`^${BEFORE}(?:${QUERY}|${ANALYSED}|(?:show|explain|describe|desc|help)\\b)`, 'i');

/**
 * What begins like one may still be none; but much that begins otherwise answers rows and is held by no transaction:
 * what is done to tables as a whole, say.
 */
export const beginsLikeReading = (text: string): boolean => READING.test(text);
