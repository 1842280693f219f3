// What a sheet of contacts says, row by row (decisions §3, decisions-2 §14, §22): pure, so that a look, an import and one that goes on
// after a crash find the same.
import {
  CONTACT_COLUMNS,
  type ContactColumn,
  contactFaults,
  LIMITS,
  phoneVariants,
  type SheetProblem,
  wholeNumber,
} from '@balcao/contract'
import { clean } from '../contacts/identity.ts'
import { type Heads, namesIn, yesOrNo } from '../sheets/columns.ts'
import { withTurns } from '../sheets/packs.ts'
import type { SheetRow } from '../sheets/read.ts'

/** One thing that is wrong with a row. */
export interface Fault {
  readonly row: number
  readonly field: string
  readonly code: SheetProblem
}

/** Whom to call for a queue, as a row of a delegation says. */
export interface Delegated {
  readonly row: number
  readonly queue: string
  readonly user: string
}

/** A contact as one row, or several of a delegation, want it to be. What they do not say stays as it is. */
export interface Wanted {
  readonly rows: readonly SheetRow[]
  /** In digits, with the country's code; empty where it is wrong. */
  readonly number: string
  readonly name: string
  readonly email: string
  readonly tags: readonly string[]
  readonly answers: boolean | null
  /** Null: nothing is said of redirects. */
  readonly delegated: readonly Delegated[] | null
  /** What is wrong whoever it is; what depends on whether the contact is known comes later. */
  readonly faults: readonly Fault[]
}

export const CONTACT_HEADS: Heads<ContactColumn> = {
  nome: [
    'nome',
    'name',
    'nombre',
    'nomecompleto',
    'fullname',
    'nombrecompleto',
    'contato',
    'contact',
    'contacto',
    'cliente',
  ],
  numero: [
    'numero',
    'number',
    'telefone',
    'phone',
    'telefono',
    'celular',
    'cell',
    'movil',
    'mobile',
    'whatsapp',
    'fone',
  ],
  email: ['email', 'mail', 'correo', 'correoelectronico', 'emailaddress'],
  tags: ['tags', 'tag', 'etiquetas', 'etiqueta', 'labels', 'label', 'grupo', 'grupos', 'group'],
  resposta_automatica: [
    ...['respostaautomatica', 'automaticreply', 'autoreply', 'respuestaautomatica', 'respautomatica', 'responde'],
  ],
}

/** The contacts of a sheet, in its order and as they are asked for. */
export async function* peopleIn(
  rows: AsyncIterable<SheetRow>,
  columns: readonly (ContactColumn | null)[],
): AsyncGenerator<Wanted> {
  // Of fifty thousand only what tells two rows apart is held.
  const seen = new Map<string, bigint | number>()
  for await (const one of withTurns(rows)) {
    const wanted = personIn(one, columns)
    const key = wanted.number === '' ? null : oneSpelling(wanted.number)
    const said = Bun.hash(JSON.stringify(sayingOf(wanted)))
    const before = key === null ? undefined : seen.get(key)
    if (key !== null && before === undefined) seen.set(key, said)
    // The very same once more says nothing new.
    if (before === undefined || before === said) yield wanted
    else yield { ...wanted, faults: [...wanted.faults, { row: one.row, field: 'numero', code: 'numberTwice' }] }
  }
}

function personIn(row: SheetRow, columns: readonly (ContactColumn | null)[]): Wanted {
  const textOf = cellsOf(row, columns)
  const faults: Fault[] = []
  const fault = (field: ContactColumn, code: SheetProblem) => faults.push({ row: row.row, field, code })
  const number = numberIn(textOf('numero'), code => fault('numero', code))
  const email = textOf('email')
  if (contactFaults({ email }).length > 0) fault('email', 'email')
  const said = textOf('resposta_automatica')
  const answers = said === '' ? null : yesOrNo(said)
  if (said !== '' && answers === null) fault('resposta_automatica', 'answer')
  const tags = namesIn(textOf('tags'))
  const [least, most] = LIMITS.tagName
  if (tags.some(name => name.length < least || name.length > most)) fault('tags', 'tagName')
  return { rows: [row], number, name: clean(textOf('nome')), email, tags, answers, delegated: null, faults }
}

/** The text of each column of a row; nothing where the sheet has no such column. */
export function cellsOf<C extends string>({ cells }: SheetRow, columns: readonly (C | null)[]) {
  return (column: C): string => cells[columns.indexOf(column)]?.trim() ?? ''
}

/** The digits of a number as it is kept; empty, and told, where it is wrong. */
export function numberIn(written: string, wrong: (code: SheetProblem) => void): string {
  const number = wholeNumber(written)
  if (number === null) wrong('numberUnreadable')
  if (number === null) return ''
  const [fault] = contactFaults({ number: written.trim() === '' ? '' : number })
  if (!fault) return number
  wrong(fault.code)
  return ''
}

/** One of the spellings of a number, whichever it is given in. */
export function oneSpelling(number: string): string {
  return phoneVariants(number).sort().join()
}

/** What a person has to have: a name of the length that forms ask for. */
export function nameFault(name: string): SheetProblem | null {
  return contactFaults({ name })[0]?.code ?? null
}

/** Everything a row says but where it stands. */
function sayingOf({ name, email, tags, answers }: Wanted) {
  return { name, email, tags, answers }
}

/** How its columns are found, for who reads a sheet of contacts. */
export const CONTACT_SHEET = {
  ...{ columns: CONTACT_COLUMNS, heads: CONTACT_HEADS, parse: peopleIn, file: 'contatos', source: 'sheet' as const },
  needed: ['nome', 'numero'],
} as const
