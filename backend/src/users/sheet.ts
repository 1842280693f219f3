// What a sheet of people says, row by row (decisions §3, decisions-2 §22): pure, so that a look and an import find the same.
import {
  type AnswerOf,
  byRules,
  PROFILES,
  type Profile,
  USER_COLUMNS,
  USER_DEFAULTS,
  type UserColumn,
  userRules,
  withoutAccents,
} from '@balcao/contract'
import type { SheetRow } from '../sheets/read.ts'

export type RowFault = AnswerOf<'POST /users/import/:userId'>['errors'][number]

/** Somebody as a row says. */
export interface SheetPerson {
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

/** Which column each heading is, by its name in Portuguese, English or Spanish, without accents and case; a second one of a kind is left out. */
export function columnsIn(heads: readonly string[]): (UserColumn | null)[] {
  const seen = new Set<UserColumn>()
  return heads.map(head => {
    const column = USER_COLUMNS.find(name => HEADS[name].includes(plain(head)))
    if (!column || seen.has(column)) return null
    seen.add(column)
    return column
  })
}

/** The columns a sheet cannot do without and does not have, as faults of its heading. */
export function missingColumns(columns: readonly (UserColumn | null)[]): RowFault[] {
  const missing = (['nome', 'email'] as const).filter(name => !columns.includes(name))
  return missing.map(field => ({ row: 1, field, error: 'Coluna não encontrada' }))
}

/** Finds the queue of a name: of that very one, else of the only one that is `plain`ly the same. */
export function queueFinder(queues: readonly { readonly id: number; readonly name: string }[]) {
  const exact = (name: string) => name.trim().toLowerCase()
  return (said: string): number | undefined => {
    const alike = [exact, plain].map(form =>
      queues.filter(({ name }) => form(name) === form(said) && form(said) !== ''),
    )
    return alike.find(found => found.length === 1)?.[0]?.id
  }
}

/** Somebody, or everything that is wrong with the row. */
export function personIn(
  { row, cells }: SheetRow,
  columns: readonly (UserColumn | null)[],
  queueOf: ReturnType<typeof queueFinder>,
): { readonly person: SheetPerson } | { readonly faults: readonly RowFault[] } {
  const textOf = (column: UserColumn) => cells[columns.indexOf(column)]?.trim() ?? ''
  const faults: RowFault[] = []
  const fault = (field: UserColumn, error: string) => faults.push({ row, field, error })
  const password = textOf('senha')
  const texts = byRules(userRules, {
    ...{ name: textOf('nome'), email: textOf('email'), ...(password === '' ? {} : { password }) },
    startTime: timeOf(textOf('inicio')) || USER_DEFAULTS.startTime,
    endTime: timeOf(textOf('fim')) || USER_DEFAULTS.endTime,
  })
  for (const [field, error] of Object.entries(texts.faults)) fault(COLUMN_OF[field] ?? 'nome', error)
  const profile =
    textOf('perfil') === '' ? USER_DEFAULTS.profile : PROFILES.find(one => NAMES[one].includes(plain(textOf('perfil'))))
  if (!profile) fault('perfil', 'Perfil inválido')
  const active =
    textOf('ativo') === ''
      ? true
      : YES.includes(plain(textOf('ativo'))) || (NO.includes(plain(textOf('ativo'))) ? false : null)
  if (active === null) fault('ativo', 'Use sim ou não')
  const names = textOf('filas')
    .split(/[,;|\n]/)
    .filter(name => name.trim() !== '')
  const queueIds = [...new Set(names.map(queueOf))]
  if (queueIds.includes(undefined)) fault('filas', 'ERR_NO_QUEUE_FOUND')
  if (faults.length > 0 || !profile || active === null) return { faults }
  const { name, email, startTime, endTime } = texts.kept
  return {
    person: {
      ...{ row, name, email, profile, active, startTime, endTime },
      password: password === '' ? null : password,
      queueIds: queueIds.flatMap(id => id ?? []),
    },
  }
}

/** Without accents, case and what is neither letter nor digit: how headings and names of queues are compared. */
export function plain(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** `8:00`, `8h`, `08:00:00` as `08:00`; what is none stays, to be refused. */
function timeOf(text: string): string {
  const found = /^(\d{1,2})(?:[:h](\d{2})?(?::\d{2})?)?$/i.exec(text)
  return found ? `${found[1]?.padStart(2, '0')}:${found[2] ?? '00'}` : text
}

const COLUMN_OF: Readonly<Record<string, UserColumn>> = {
  ...{ name: 'nome', email: 'email', password: 'senha', startTime: 'inicio', endTime: 'fim' },
}
const HEADS: Readonly<Record<UserColumn, readonly string[]>> = {
  nome: ['nome', 'name', 'nombre', 'nomecompleto', 'fullname', 'nombrecompleto'],
  email: ['email', 'mail', 'correo', 'correoelectronico', 'emailaddress'],
  senha: ['senha', 'password', 'contrasena', 'clave'],
  perfil: ['perfil', 'profile', 'role', 'rol'],
  filas: ['filas', 'fila', 'queues', 'queue', 'colas', 'cola'],
  ativo: ['ativo', 'active', 'activo'],
  inicio: ['inicio', 'start', 'starttime', 'horainicio', 'entrada', 'comienzo'],
  fim: ['fim', 'end', 'endtime', 'horafim', 'saida', 'fin', 'horafin', 'salida'],
}
const NAMES: Readonly<Record<Profile, readonly string[]>> = {
  admin: ['admin', 'administrador', 'administradora', 'administrator'],
  gerente: ['gerente', 'manager', 'gestor', 'gestora'],
  user: ['user', 'usuario', 'usuaria', 'atendente', 'agent', 'agente'],
}
const YES = [
  'sim',
  's',
  'yes',
  'y',
  'si',
  'true',
  'verdadeiro',
  'verdadero',
  '1',
  'ativo',
  'ativa',
  'active',
  'activo',
  'activa',
  'x',
]
const NO = ['nao', 'n', 'no', 'false', 'falso', '0', 'inativo', 'inativa', 'inactive', 'inactivo', 'inactiva']
