import { expect, test } from 'bun:test'
import { LOG_ACTIONS, type LogAction, type LogParams, logText } from '../src/log.ts'

type Hole<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Hole<Rest> : never
type Unfilled = {
  [A in LogAction]: Exclude<Hole<(typeof LOG_ACTIONS)[A]>, A extends keyof LogParams ? keyof LogParams[A] : never>
}[LogAction]

test('every hole in the sentence of an action is one of its parameters', () => {
  const unfilled: readonly Unfilled[] = []
  const nothing: readonly never[] = unfilled
  expect(nothing).toEqual([])
  expect(logText('protocol.create', { protocolo: '20261122000007' })).toBe('Protocolo gerado: 20261122000007')
  expect(logText('ticket.accept', null)).toBe('Atendimento aceito')
})

test.each(['pt', 'en', 'es'])(
  'every action of the log has a sentence in %s with the same holes; the Portuguese one is the wire’s',
  async language => {
    const { log } = await Bun.file(`${import.meta.dir}/../texts/log/${language}.json`).json()
    const texts = Object.entries<Record<string, string>>(log).flatMap(([kind, actions]) =>
      Object.entries(actions).map(([name, text]): [string, string] => [`${kind}.${name}`, text]),
    )
    const shape = (entries: [string, string][]) =>
      entries.map(([key, text]) => [key, text.match(/\{\{\w+\}\}/g)]).sort()
    expect(shape(texts)).toEqual(shape(Object.entries(LOG_ACTIONS)))
    if (language === 'pt') expect(Object.fromEntries(texts)).toEqual(LOG_ACTIONS)
  },
)
