// The log of a process: for people on a terminal, JSON alone into a file or a pipe.
import { DrizzleQueryError } from 'drizzle-orm'
import pino, { type Logger, stdSerializers } from 'pino'
import type { Config } from './config.ts'

const FOR_PEOPLE = process.stdout.isTTY === true
// A server without a terminal never takes its memory (docs/decisions/0281).
const pretty = FOR_PEOPLE ? (await import('pino-pretty')).default : null

export function createLogger({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  const redact = ['req.headers', '*.password', '*.token']
  const options = { level: logLevel, redact, serializers: { err: toLoggedError } }
  if (!pretty) return pino(options)
  return pino(options, pretty({ sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }))
}

/** An error without the values of its statement, which are what customers wrote: Drizzle says them in its words, Postgres in its details. */
export function toLoggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { params: _, detail: __, where: ___, ...logged } = stdSerializers.err(error)
  const values = listValues(error)
  const withoutValues = (text: string) => values.reduce((left, value) => left.replaceAll(value, ''), text)
  return { ...logged, message: withoutValues(logged.message), stack: withoutValues(logged.stack) }
}

/** As they stand in the words of an error and of what caused it. */
function listValues(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const own = error instanceof DrizzleQueryError ? [`\nparams: ${error.params}`] : []
  return [...own, ...listValues(error.cause)]
}

/** Says what whoever starts the program must read, whatever the level of the log: `text` on a terminal, `fields` as one line of JSON else. */
export function announce(message: string, fields: object, text: string): void {
  console.log(
    FOR_PEOPLE ? text : JSON.stringify({ level: 30, time: Date.now(), pid: process.pid, ...fields, msg: message }),
  )
}
