// What a sheet of people says, row by row (decisions §3, decisions-2 §22): pure, so that a look and an import find the same.
import { applyFieldRules, PROFILES, type Profile, USER_DEFAULTS, type UserColumn, userRules } from '@balcao/contract'
import { type HeadingMeanings, normalizeText, parseNames, parseYesNo } from '@balcao/formats/sheets/columns'
import type { SheetRow } from '@balcao/formats/sheets/read'
import type { UserCellFault } from './sheet-words.ts'

export interface UserRowFault {
  readonly row: number
  readonly field: UserColumn
  readonly error: UserCellFault
}

/** Somebody as a row says. */
export interface PersonRow {
  readonly row: number
  readonly name: string
  readonly email: string
  /** Null: a one-time password is made. */
  readonly password: string | null
  readonly profile: Profile
  readonly queueIds: readonly number[]
  readonly active: boolean
  readonly startTime: string
  readonly endTime: string
}

/** The columns a sheet cannot do without and does not have, as faults of its heading. */
export function findMissingColumns(columns: readonly (UserColumn | null)[]): UserRowFault[] {
  const missing = (['nome', 'email'] as const).filter(name => !columns.includes(name))
  return missing.map(field => ({ row: 1, field, error: 'columnMissing' }))
}

/** Somebody, or everything that is wrong with the row. */
export function parsePersonRow(
  { row, cells }: SheetRow,
  columns: readonly (UserColumn | null)[],
  queueOf: (name: string) => number | undefined,
): { readonly person: PersonRow } | { readonly faults: readonly UserRowFault[] } {
  const textOf = (column: UserColumn) => cells[columns.indexOf(column)]?.trim() ?? ''
  const faults: UserRowFault[] = []
  const fault = (field: UserColumn, error: UserCellFault) => faults.push({ row, field, error })
  const password = textOf('senha')
  const texts = applyFieldRules(userRules, {
    ...{ name: textOf('nome'), email: textOf('email'), ...(password === '' ? {} : { password }) },
    startTime: normalizeTime(textOf('inicio')) || USER_DEFAULTS.startTime,
    endTime: normalizeTime(textOf('fim')) || USER_DEFAULTS.endTime,
  })
  for (const [field, error] of Object.entries(texts.faults)) fault(COLUMN_OF[field] ?? 'nome', error)
  const profile =
    textOf('perfil') === ''
      ? USER_DEFAULTS.profile
      : PROFILES.find(one => NAMES[one].includes(normalizeText(textOf('perfil'))))
  if (!profile) fault('perfil', 'profile')
  const active = textOf('ativo') === '' ? true : parseYesNo(textOf('ativo'))
  if (active === null) fault('ativo', 'yesNo')
  const queueIds = [...new Set(parseNames(textOf('filas')).map(queueOf))]
  if (queueIds.includes(undefined)) fault('filas', 'ERR_NO_QUEUE_FOUND')
  if (faults.length > 0 || !profile || active === null) return { faults }
  const { name, email, startTime, endTime } = texts.values
  return {
    person: {
      ...{ row, name, email, profile, active, startTime, endTime },
      password: password === '' ? null : password,
      queueIds: queueIds.flatMap(id => id ?? []),
    },
  }
}

/** `8:00`, `8h`, `08:00:00` as `08:00`; what is none stays, to be refused. */
function normalizeTime(text: string): string {
  const found = /^(\d{1,2})(?:[:h](\d{2})?(?::\d{2})?)?$/i.exec(text)
  return found ? `${found[1]?.padStart(2, '0')}:${found[2] ?? '00'}` : text
}

const COLUMN_OF: Readonly<Record<string, UserColumn>> = {
  ...{ name: 'nome', email: 'email', password: 'senha', startTime: 'inicio', endTime: 'fim' },
}
/** What the columns are about. */
export const USER_HEADS: HeadingMeanings<UserColumn> = {
  ...{ nome: ['name', 'givenName'], email: ['email'], senha: ['password'], perfil: ['profile'], filas: ['queue'] },
  ...{ ativo: ['active'], inicio: ['start'], fim: ['end'] },
}
const NAMES: Readonly<Record<Profile, readonly string[]>> = {
  admin: ['admin', 'administrador', 'administradora', 'administrator'],
  gerente: ['gerente', 'manager', 'gestor', 'gestora'],
  user: ['user', 'usuario', 'usuaria', 'atendente', 'agent', 'agente'],
}
