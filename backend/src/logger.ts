// The log of a process: for people on a terminal, JSON alone into a file or a pipe.
import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

const FOR_PEOPLE = process.stdout.isTTY === true

export function createLogger({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  const options = { level: logLevel, redact: ['req.headers', '*.password', '*.token'] }
  if (!FOR_PEOPLE) return pino(options)
  return pino(options, pretty({ sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }))
}

/** Says what whoever starts the program must read, whatever the level of the log: `text` on a terminal, `fields` as one line of JSON else. */
export function announce(message: string, fields: object, text: string): void {
  console.log(
    FOR_PEOPLE ? text : JSON.stringify({ level: 30, time: Date.now(), pid: process.pid, ...fields, msg: message }),
  )
}
