// Sheets of contacts and of whom they are delegated to: columns, limits, what can be wrong with a row (decisions §3, decisions-2 §14, §22).
import type texts from '../../texts/contact-sheets/pt.json'

/** Columns of a sheet of contacts, in the order of the empty one. */
export const CONTACT_COLUMNS = ['nome', 'numero', 'email', 'tags', 'resposta_automatica'] as const
export type ContactColumn = (typeof CONTACT_COLUMNS)[number]

/**
 * What else a column of a sheet of contacts may be: parts of names that are joined, names and numbers for who has no better one, and what
 * stands before a number.
 */
export const CONTACT_FIELDS = [
  ...CONTACT_COLUMNS,
  ...(['sobrenome', 'outro_nome', 'outro_numero', 'ddd', 'pais'] as const),
] as const
export type ContactField = (typeof CONTACT_FIELDS)[number]
/** Those that a sheet may have several of. */
export const REPEATED_FIELDS = ['sobrenome', 'outro_nome', 'outro_numero'] as const

/** Columns of a sheet of delegations: one row a redirect. */
export const DELEGATION_COLUMNS = ['numero', 'nome', 'fila', 'usuario'] as const
export type DelegationColumn = (typeof DELEGATION_COLUMNS)[number]

/** Rows of contacts in one sheet; an export of more of them is a zip of such sheets. */
export const CONTACT_SHEET_ROWS = 50_000
/** Tags that one sheet may make. */
export const NEW_TAGS = 200
/** Contacts that one act may name by id. */
export const BULK_IDS = 10_000
/** Wrong rows that a look tells one by one. */
export const FAULTS_TOLD = 1000

/** What can be wrong with a row. */
export type SheetProblem = keyof (typeof texts)['problem']

/** The word that has to be typed before contacts are cleared. */
export const CLEAR_WORD = 'APAGAR'
