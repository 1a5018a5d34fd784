/** What the variables of an environment may be. Without zod, so that a page can say it too. */

/** ASCII letters, digits and _, with no digit first. */
export const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Of one variable, in characters. */
export const MAX_VARIABLE_NAME = 256;
export const MAX_VARIABLE_VALUE = 65_536;

/** Of all variables of an environment together. */
export const MAX_VARIABLES = 1000;
/** Names and values, in UTF-8: well below what a kernel hands to a program; one request could hold twice as much. */
export const MAX_VARIABLE_BYTES = 512 * 1024;
