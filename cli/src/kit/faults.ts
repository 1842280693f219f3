// What went wrong, in the reader's language, and with which code the program ends: 1 failed, 2 used wrongly, 130 stopped by Ctrl+C.
import { ApiError } from '@balcao/client'
import errorsEn from '@balcao/contract/texts/errors/en.json'
import errorsEs from '@balcao/contract/texts/errors/es.json'
import errorsPt from '@balcao/contract/texts/errors/pt.json'
import en from '../../../ui/locales/en.json'
import es from '../../../ui/locales/es.json'
import pt from '../../../ui/locales/pt.json'
import { toSafeLine } from './text.ts'
import { findText, type Language, type LocaleTree, type Translate } from './texts.ts'

/** The sentences of the catalogue, and the pages' own. */
const SAID: Readonly<Record<Language, LocaleTree>> = {
  pt: { ...pt, error: errorsPt },
  en: { ...en, error: errorsEn },
  es: { ...es, error: errorsEs },
}

/** Something a person can mend. `key` is of the command's texts or the shared ones (`fault.<key>`). */
export class Failure extends Error {
  override readonly name = 'Failure'

  constructor(
    readonly key: string,
    readonly values: Readonly<Record<string, string | number>> = {},
    /** 2: the command was used wrongly, nothing was tried. */
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(key)
  }
}

/** In the details of an `OFFLINE`: the call changes something, and nobody knows whether it came through. */
export const MAY_BE_DONE = 'may be done'

/** What is told of an error: a code for programs, a sentence for people. */
export interface FaultDescription {
  readonly code: string
  readonly message: string
  readonly exitCode: number
  /** Fields that were refused, each in a line. */
  readonly details: readonly string[]
}

/** The desk that was spoken to, as far as it is known. */
interface DeskContact {
  readonly url: string
  /** With the environment's token: signing in here would not mend it. */
  readonly byToken: boolean
}

export function describeFault(
  error: unknown,
  t: Translate,
  language: Language,
  { url, byToken }: DeskContact,
): FaultDescription {
  if (error instanceof Failure) {
    const message = t(`fault.${error.key}`, translateValues(error.values, t))
    return { code: error.key, message, exitCode: error.exitCode, details: [] }
  }
  if (error instanceof ApiError) {
    const { code, retryAfter } = error
    const key = byToken && code === 'ERR_SESSION_EXPIRED' ? `${code}_TOKEN` : code
    const values = { url, seconds: retryAfter ?? 0 }
    const own = error.details === MAY_BE_DONE ? t('stopped.unsure') : ownSentence(key, t, values)
    const message = own ?? (toSafeLine(error.message) || (findSentence(code, t, language) ?? code))
    return { code, message, exitCode: 1, details: listFieldFaults(error) }
  }
  const text = error instanceof Error ? error.message : String(error)
  const database = findDatabaseFault(error)
  if (database) return { code: database.code, message: t(`fault.${database.code}`, database), exitCode: 1, details: [] }
  const wrong = listEnvironmentFaults(error)
  if (wrong) return { code: 'environment', message: t('fault.environment'), exitCode: 1, details: wrong }
  const why = getErrorCode(error)
  if (why !== undefined && isWorded(why, t))
    return { code: why, message: t('fault.system', translateValues({ why }, t)), exitCode: 1, details: [] }
  return { code: 'ERR_INTERNAL', message: t('fault.unknown', { text }), exitCode: 1, details: [] }
}

/** The system's word for why something could not be done, such as `ENOSPC`. */
export function getErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** That something could not be laid down there, where the system says why; other errors are as they were. */
export function toWriteFailure(path: string, error: unknown, exitCode: 1 | 2 = 1): unknown {
  const why = getErrorCode(error)
  return PLACE_FAULTS.includes(why ?? '') ? new Failure('noPlace', { path, why: why ?? '' }, exitCode) : error
}

const NO_WAY = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG']
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG']
const PLACE_FAULTS = [...NO_WAY, ...NO_ROOM]

/** The system's word among values, in the reader's language where it is one of those people meet. */
export function translateValues(
  values: Readonly<Record<string, string | number>>,
  t: Translate,
): Readonly<Record<string, string | number>> {
  const { why } = values
  if (typeof why !== 'string' || !isWorded(why, t)) return values
  return { ...values, why: /^E[A-Z]+$/.test(why) ? `${t(`why.${why}`)} (${why})` : t(`why.${why}`) }
}

function isWorded(why: string, t: Translate): boolean {
  return t(`why.${why}`) !== `why.${why}`
}

/** What keeps a command of the server's machine from its database. Known by its name: the server's rooms are not everywhere. */
function findDatabaseFault(error: unknown): { code: string; why: string } | null {
  if (!(error instanceof Error) || error.name !== 'ForeignDatabaseError' || !('code' in error)) return null
  return { code: `database.${error.code}`, why: 'why' in error ? String(error.why) : '' }
}

/** What is wrong with the server's environment, as it says it itself: a line each. */
function listEnvironmentFaults(error: unknown): readonly string[] | null {
  if (!(error instanceof Error) || error.name !== 'ConfigError' || !('problems' in error)) return null
  return Array.isArray(error.problems) ? error.problems.map(String) : null
}

/** The sentence of a code of the catalogue: the terminal's own where it says something else than the server, else the server's. */
export function findSentence(code: string, t: Translate, language: Language): string | undefined {
  return ownSentence(code, t) ?? findText(SAID[language], `error.${code}`)
}

function ownSentence(
  code: string,
  t: Translate,
  values: Readonly<Record<string, string | number>> = {},
): string | undefined {
  const own = t(`error.${code}`, values)
  return own === `error.${code}` ? undefined : own
}

function listFieldFaults({ code, details }: ApiError): string[] {
  if (code !== 'ERR_VALIDATION' || !Array.isArray(details)) return []
  return details.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null || !('path' in entry) || !('message' in entry)) return []
    return toSafeLine(`${entry.path}: ${entry.message}`)
  })
}
