// What a member of the team must look like: the rules of form, sheet and server alike (spec 2 §5, decisions-2 §8).
import type { FaultCode } from '../kit/app-error.ts'
import { type FieldRule, signUpRules } from '../kit/forms.ts'

/** The fields of the form that stand for themselves. */
export const userRules = {
  ...signUpRules,
  startTime: makeTimeRule(),
  endTime: makeTimeRule(),
}

/**
 * What somebody has who is added without saying, in the form, by a sheet or another program (spec 2 §5). Every day of the week: hours and
 * the company's own days limit it already, and sheets have no column for days. Who deletes contacts is said one by one.
 */
export const USER_DEFAULTS = {
  profile: 'user',
  startTime: '08:00',
  endTime: '18:00',
  weekdays: true,
  saturday: true,
  sunday: true,
  holidays: true,
  addContact: true,
  editContact: true,
  delContact: false,
} as const

/** Columns of a sheet of people, in the order of the empty one (decisions §3). */
export const USER_COLUMNS = ['nome', 'email', 'senha', 'perfil', 'filas', 'ativo', 'inicio', 'fim'] as const
export type UserColumn = (typeof USER_COLUMNS)[number]
/** Rows of people in one sheet (decisions-2 §22). */
export const USER_SHEET_ROWS = 500

export type SubstitutionProblem = FaultCode<'substitution'>

export interface SubstitutionFault {
  /** `substitution/0` */
  readonly path: string
  readonly code: SubstitutionProblem
  readonly params?: { readonly name: string }
}

/** A row as it is filled in: its queue (`name`) and person (`value`) may still be missing. */
export interface SubstitutionRow {
  readonly name?: number | null | undefined
  readonly value?: number | null | undefined
}

/** What the rules have to know of the people. */
export interface SubstitutionContext {
  /** Whose form it is; null while somebody is added. */
  readonly userId: number | null
  /** Whether the person will be active once it is saved. */
  readonly active: boolean
  /** Queues that have a row already: those stay while the person is active, and no others come. */
  readonly present: readonly number[]
  /** Who may be a substitute, with the queues they have. */
  readonly people: readonly { readonly id: number; readonly name: string; readonly queueIds: readonly number[] }[]
}

/** What is wrong with the rows of a form; empty when they may be saved. Of several in one row the first is told. */
export function validateSubstitutions(
  rows: readonly SubstitutionRow[],
  world: SubstitutionContext,
): SubstitutionFault[] {
  const seen = new Set<number>()
  return rows.flatMap((row, at) => {
    const found = findSubstitutionFault(row, seen, world)
    if (row.name) seen.add(row.name)
    return found ? [{ path: `substitution/${at}`, ...found }] : []
  })
}

function findSubstitutionFault(
  { name: queueId, value: substituteId }: SubstitutionRow,
  seen: ReadonlySet<number>,
  { userId, active, present, people }: SubstitutionContext,
): Omit<SubstitutionFault, 'path'> | null {
  if (!queueId || !substituteId) return { code: 'incomplete' }
  if (seen.has(queueId)) return { code: 'twice' }
  if (substituteId === userId) return { code: 'self' }
  const substitute = people.find(({ id }) => id === substituteId)
  if (!substitute?.queueIds.includes(queueId))
    return { code: 'notInQueue', params: { name: substitute?.name ?? String(substituteId) } }
  return active && !present.includes(queueId) ? { code: 'active' } : null
}

/** A time of day as `HH:mm`. */
function makeTimeRule(): FieldRule<string> {
  return value => {
    const text = String(value ?? '').trim()
    return { value: text, fault: /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? null : 'field.notTime' }
  }
}
