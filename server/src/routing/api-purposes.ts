/** What edges of other hosts connect to an api for. */
export const API_PURPOSE = 'lilac-api';
export const OBJECTS_PURPOSE = 'lilac-objects';
