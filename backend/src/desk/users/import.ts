// People from a sheet: looked at, or added in one transaction (decisions §3, decisions-2 §14, §22).
import {
  type Language,
  type QueryParams,
  type ResponseBody,
  USER_COLUMNS,
  USER_SHEET_ROWS,
  type UserColumn,
} from '@balcao/contract'
import { createNameFinder, findColumns, parseChosenColumns } from '@balcao/formats/sheets/columns'
import { readSheet, type SheetRow } from '@balcao/formats/sheets/read'
import { writeSheet } from '@balcao/formats/sheets/write'
import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../platform/database/client.ts'
import { AppError } from '../../platform/http/errors.ts'
import { hashEmail } from '../../platform/seal.ts'
import { change, type Parts } from '../../policy/kit/parts.ts'
import { writeLogs } from '../../policy/log/write.ts'
import type { Session } from '../../policy/sessions/authenticate.ts'
import { limitConcurrency } from '../../policy/sessions/concurrency.ts'
import { verifyPassword } from '../../policy/sessions/sign-in.ts'
import { publishUserEvents } from '../../policy/users/present.ts'
import { users } from '../../policy/users/table.ts'
import { type FormCall, readForm, type UploadForm } from '../media/form.ts'
import { requireSheetFile, SHEET_FORM_BYTES, toCorrectionRows } from '../media/sheet-form.ts'
import { publishQueues } from '../queues/publish.ts'
import { queues } from '../queues/table.ts'
import { checkStillAdmin } from './change.ts'
import { createOneTimePassword, deriveOneTimePassword, hashNewPassword } from './passwords.ts'
import { insertUser } from './save.ts'
import { findMissingColumns, type PersonRow, parsePersonRow, USER_HEADS, type UserRowFault } from './sheet.ts'
import { describeFault, formatFault } from './sheet-words.ts'

type Imported = ResponseBody<'POST /users/import/:userId'>
type Query = QueryParams<'POST /users/import/:userId'>

const SAMPLE = 5
const HIDDEN = '••••••••'

/** An empty sheet with the headings. */
export function writeUserTemplate(): ReturnType<typeof writeSheet> {
  return writeSheet('usuarios', [USER_COLUMNS])
}

/**
 * Adds the people of a sheet, or with `preview` says what would come of it. Nobody is added while a row is wrong, unless `partial`.
 * Throws `ERR_VALIDATION` without a file or with several, and as `readSheet`.
 */
export function importUsers(parts: Parts, call: FormCall<Session>, query: Query): Promise<Imported> {
  return readForm(parts, call, (form, session) => importForm(parts, session, form, query), SHEET_FORM_BYTES)
}

async function importForm(parts: Parts, session: Session, form: UploadForm, query: Query): Promise<Imported> {
  const [heading, ...rows] = await readSheet(requireSheetFile(form), { rows: USER_SHEET_ROWS, headed: true })
  if (!heading) throw new AppError('ERR_SHEET_UNREADABLE')
  const columns =
    parseChosenColumns(form.text('columns'), heading.cells, USER_COLUMNS) ??
    findColumns(heading.cells, USER_COLUMNS, USER_HEADS)
  const preview = await previewRows(parts, columns, rows)
  const refused = preview.errors.length > 0 && query.partial !== 'true'
  const people = refused || findMissingColumns(columns).length > 0 ? [] : preview.people
  const clientId = form.text('clientId') || null
  const made = query.preview === 'true' ? null : await addPeople(parts, session, people, preview.skipped, clientId)
  const shown = new Set(made?.passwords.map(({ email }) => email))
  const others = preview.found.filter(({ email }) => !shown.has(email))
  const repeated = made && clientId !== null && !refused ? await repeatPasswords(parts, clientId, others) : []
  return {
    imported: made?.imported ?? people.length,
    skipped: preview.skipped + (made ? people.length - made.imported : 0),
    errors: preview.errors.map(fault => ({ ...fault, message: describeFault(fault.error, query.language ?? 'pt') })),
    columns: heading.cells.map((head, at) => ({ head, field: columns[at] ?? null })),
    rows: rows.slice(0, SAMPLE).map(({ cells }) => toSampleRow(heading, cells, columns)),
    errorSheet: await errorSheet(heading, rows, preview.errors, query.language ?? 'pt'),
    passwords: [...(made?.passwords ?? []), ...repeated],
  }
}

interface HashedPerson extends PersonRow {
  readonly hash: string
}

/** Who is new, who stands in the sheet at all, how many are known already, and what is wrong. */
async function previewRows({ db, config }: Parts, columns: readonly (UserColumn | null)[], rows: readonly SheetRow[]) {
  const errors: UserRowFault[] = findMissingColumns(columns)
  if (errors.length > 0) return { people: [], found: [], skipped: 0, errors }
  const names = await db.select({ id: queues.id, name: queues.name }).from(queues)
  const find = createNameFinder(names)
  const queueOf = (name: string) => find(name)?.id
  const inSheet = new Set<string>()
  const found: HashedPerson[] = []
  for (const row of rows) {
    const parsed = parsePersonRow(row, columns, queueOf)
    if ('faults' in parsed) {
      errors.push(...parsed.faults)
      continue
    }
    const hash = hashEmail(config.dataKey, parsed.person.email)
    if (inSheet.has(hash)) errors.push({ row: row.row, field: 'email', error: 'ERR_DUPLICATED_EMAIL' })
    else found.push({ ...parsed.person, hash })
    inSheet.add(hash)
  }
  const known = await knownHashes(db, [...inSheet])
  const people = found.filter(({ hash }) => !known.has(hash))
  return { people, found, skipped: found.length - people.length, errors }
}

async function knownHashes(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await db
    .select({ hash: users.emailHash })
    .from(users)
    .where(inArray(users.emailHash, [...hashes]))
  return new Set(rows.map(({ hash }) => hash))
}

/** In one transaction. Whoever was added by somebody else meanwhile is skipped. */
async function addPeople(
  parts: Parts,
  session: Session,
  people: readonly HashedPerson[],
  skipped: number,
  clientId: string | null,
) {
  if (people.length === 0) return { imported: 0, passwords: [] }
  const ready: { person: PersonRow; password: string; hash: string }[] = []
  for (const person of people) {
    const password = person.password ?? createImportPassword(parts.config, clientId, person.hash)
    // One after the other: people who sign in stand in the same line.
    ready.push({ person, password, hash: await hashNewPassword(password) })
  }
  const userId = session.viewer.id
  return change(parts, async tx => {
    await checkStillAdmin(tx, session)
    const made: { id: number; person: PersonRow; password: string }[] = []
    for (const { person, password, hash } of ready) {
      const secret = { passwordHash: hash, mustChangePassword: person.password === null }
      const { row: _, queueIds, ...fields } = person
      const id = await insertUser(tx, parts.config, { ...fields, password, queueIds: [...queueIds] }, secret)
      if (id !== null) made.push({ id, person, password })
    }
    await writeLogs(tx, [
      {
        action: 'user.import',
        params: { imported: made.length, skipped: skipped + people.length - made.length },
        userId,
      },
      ...made.map(({ id }) => ({ action: 'user.create' as const, userId, entityId: id })),
    ])
    const peopled = made.flatMap(({ person }) => (person.active ? person.queueIds : []))
    await publishQueues(tx, [...new Set(peopled)])
    await publishUserEvents(
      tx,
      parts.config,
      made.map(({ id }) => id),
      'create',
    )
    const shown = made.filter(({ person }) => person.password === null)
    return {
      imported: made.length,
      passwords: shown.map(({ person: { row, name, email }, password }) => ({ row, name, email, password })),
    }
  })
}

/** The same in a repeat of the same import, which nobody else can work out. */
function createImportPassword(config: Parts['config'], clientId: string | null, hash: string): string {
  return clientId === null ? createOneTimePassword(config) : deriveOneTimePassword(config, `import:${clientId}:${hash}`)
}

/** Of those whom this very import added before: who repeats it did not get the answer, and nobody else could tell them. Not of who has been in. */
async function repeatPasswords({ db, config }: Parts, clientId: string, people: readonly HashedPerson[]) {
  const waiting = new Map(people.flatMap(person => (person.password === null ? [[person.hash, person]] : [])))
  if (waiting.size === 0) return []
  const rows = await db
    .select({ hash: users.emailHash, passwordHash: users.passwordHash })
    .from(users)
    .where(
      and(
        inArray(users.emailHash, [...waiting.keys()]),
        eq(users.mustChangePassword, true),
        gt(users.createdAt, sql`now() - interval '1 day'`),
      ),
    )
  const repeated: Imported['passwords'] = []
  for (const { hash, passwordHash } of rows) {
    const person = waiting.get(hash)
    const password = createImportPassword(config, clientId, hash)
    if (!person || !(await limitConcurrency(() => verifyPassword(password, passwordHash)))) continue
    repeated.push({ row: person.row, name: person.name, email: person.email, password })
  }
  return repeated
}

function toSampleRow(
  { cells: heads }: SheetRow,
  cells: readonly string[],
  columns: readonly (UserColumn | null)[],
): string[] {
  return heads.map((_, at) => (columns[at] === 'senha' && cells[at] ? HIDDEN : (cells[at] ?? '')))
}

/** The rows that are wrong as they were, with what is wrong behind them. */
async function errorSheet(
  { cells: heads }: SheetRow,
  rows: readonly SheetRow[],
  errors: readonly UserRowFault[],
  language: Language,
): Promise<Imported['errorSheet']> {
  const byRow = Map.groupBy(errors, ({ row }) => row)
  const wrong = rows.filter(({ row }) => byRow.has(row))
  if (wrong.length === 0) return null
  const formatProblems = (row: number) => (byRow.get(row) ?? []).map(fault => formatFault(fault, language)).join('; ')
  const lines = wrong.map(one => ({ ...one, problem: formatProblems(one.row) }))
  return writeSheet('usuarios-com-erro', toCorrectionRows(heads, lines))
}
