// The languages the desk is spoken in: its screens, what it says to devices, its reports.

/** Portuguese first: it stands in where another is missing. */
export const LANGUAGES = ['pt', 'en', 'es'] as const
export type Language = (typeof LANGUAGES)[number]
