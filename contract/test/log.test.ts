import { expect, test } from 'bun:test'
import { flattenSentences, formatLogText, LOG_HOLES, LOG_SENTENCES } from '../src/log/log.ts'
import en from '../texts/log/en.json'
import es from '../texts/log/es.json'

test('an entry is said with its parameters, in Portuguese unless another language is asked for', () => {
  expect(formatLogText('protocol.create', { protocolo: '20261122000007' })).toBe('Protocolo gerado: 20261122000007')
  expect(formatLogText('ticket.accept', null)).toBe('Atendimento aceito')
  expect(formatLogText('ticket.rate', { rate: 5 }, flattenSentences(en.log))).toContain('5')
})

test.each([
  ['pt', LOG_SENTENCES],
  ['en', flattenSentences(en.log)],
  ['es', flattenSentences(es.log)],
])('every action of the log has a sentence in %s, and every hole in it is one of its parameters', (_, sentences) => {
  expect(Object.keys(sentences).sort()).toEqual(Object.keys(LOG_SENTENCES).sort())
  const holes = Object.entries(sentences).flatMap(([action, text]) => {
    const names = [...text.matchAll(/\{\{(\w+)\}\}/g)].map(match => match[1])
    return names.length > 0 ? [[action, names.sort()] as const] : []
  })
  const named = Object.entries(LOG_HOLES).map(([action, names]) => [action, [...names].map(String).sort()] as const)
  expect(holes.sort()).toEqual(named.sort())
})
