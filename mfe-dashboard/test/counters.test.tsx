import { afterEach, expect, test } from 'bun:test'
import { addTexts } from '@balcao/ui/i18n'
import en from '../locales/en.json'
import es from '../locales/es.json'
import pt from '../locales/pt.json'
import { Counters } from '../src/dashboard/Counters.tsx'

const { cleanup, render, screen } = await import('@testing-library/react')

addTexts('dashboard', { pt, en, es })
afterEach(cleanup)

test('two were closed and none has a time: each card says what it lacks, none that there were no conversations', () => {
  const now = { open: 0, openGroups: 0, pending: 0, waitingSince: null, paused: 0, bot: 0, nps: 0 }
  const none = { tmeSeconds: null, tmaSeconds: null }
  const filter = { from: '2026-11-01', to: '2026-11-30', queueId: null, userId: null }
  render(
    <Counters numbers={{ stats: { ...now, closed: 2, tme: [], tma: [], ...none }, before: none }} filter={filter} />,
  )
  const cards = screen.getAllByRole('listitem').map(card => [card.dataset.counter, card.textContent] as const)
  const textOf = (name: string) => cards.find(([counter]) => counter === name)?.[1]
  expect(textOf('closed')).toContain('2')
  expect(textOf('tme')).toEndWith('—nenhum aceite no período')
  expect(textOf('tma')).toEndWith('—nenhuma duração no período')
  expect(cards.map(([, text]) => text).join()).not.toMatch(/nenhum (?:atendimento|encerrado)?\s*no período/)
})
