import { describe, expect, test } from 'bun:test'
import type { LogAction, Setting, SettingPreview } from '@balcao/contract'
import { DEFAULTS, listSettingOptions, SETTINGS, toSettingTexts } from '@balcao/contract/settings/settings'
import log from '@balcao/contract/texts/log/pt.json'
import { addTexts, getTexts, hasText } from '@balcao/ui/i18n'
import logPage from '../locales/log/pt.json'
import en from '../locales/settings/en.json'
import es from '../locales/settings/es.json'
import pt from '../locales/settings/pt.json'
import { describeEntry, describeFieldValue, interpretSearch } from '../src/log/words.ts'
import { findSettings } from '../src/settings/find.ts'
import { GROUPS } from '../src/settings/items.ts'
import { toHolidayDates, withIds } from '../src/settings/own-days.ts'
import { describePreview, limitPeople } from '../src/settings/preview.ts'
import { PLACEHOLDERS } from '../src/settings/TextRow.tsx'
import { describeLastChange, describeValue } from '../src/settings/words.ts'
import { makeUser } from './people.ts'

addTexts('settings', { pt, en: async () => ({ default: pt }), es: async () => ({ default: pt }) })
addTexts('log', { pt: log, en: async () => ({ default: log }), es: async () => ({ default: log }) })
addTexts('log-page', { pt: logPage, en: async () => ({ default: logPage }), es: async () => ({ default: logPage }) })
const t = getTexts('settings')
const ITEMS = GROUPS.flatMap(({ items }) => items)

describe('spec 2 §2: the settings page', () => {
  test('has every setting once, each with its name and one line of what it does', () => {
    expect(ITEMS.flatMap(({ keys }) => keys).sort()).toEqual(Object.keys(SETTINGS).sort() as never)
    for (const { id } of ITEMS)
      for (const part of ['name', 'hint', 'words'])
        expect([id, part, hasText('settings', `set.${id}.${part}`)]).toEqual([id, part, true])
  })

  test('is short in each group: eight settings at most, each with few words in every language', () => {
    for (const { id, items } of GROUPS) expect([id, items.length <= 8]).toEqual([id, true])
    for (const { set } of [pt, en, es])
      for (const [id, words] of Object.entries(set))
        if ('hint' in words) expect([id, words.hint.split(' ').length <= 20]).toEqual([id, true])
  })

  test('says each value to choose from in words', () => {
    for (const key of ITEMS.flatMap(({ keys }) => keys))
      for (const value of listSettingOptions(key))
        for (const length of ['span', 'short'] as const)
          expect(describeValue(key, value, t, length)).not.toMatch(/(value|span|short)\./)
    expect(describeValue('intervalClose', '1440', t, 'short')).toBe('1 dia')
    expect(describeValue('timeCreateNewTicket', '0', t)).toBe('Sempre enviar')
    expect(describeValue('timeCreateNewTicket', '1440', t)).toBe('1 dia')
    expect(describeValue('greetingInterval', '172800', t)).toBe('2 dias')
    expect(describeValue('closeNpsInterval', '120', t)).toBe('2 horas')
  })

  test('is searched in ordinary words, whatever the accents; all words have to fit', () => {
    const found = (search: string) =>
      findSettings(GROUPS, search).groups.flatMap(({ items }) => items.map(({ id }) => id))
    expect(found('almoco')).toEqual(expect.arrayContaining(['lunch']))
    expect(found('BOT')).toEqual(expect.arrayContaining(['messageBot', 'activeBot', 'botCloseTicket', 'botIdle']))
    expect(found('quem vê')).toEqual(expect.arrayContaining(['onlyAdminSeeEmptyQueue', 'userShowAll', 'hierarchy']))
    expect(found('quem vê')).not.toContain('sound')
    expect(found('historyByQueue')).toEqual(['historyByQueue'])
    expect(found('xadrez')).toEqual([])
    expect(findSettings(GROUPS, ' ').count).toBe(ITEMS.length)
  })
})

describe('the line under a setting', () => {
  const desk = (...rows: readonly Setting[]) => {
    const all = new Map<string, Setting>(toSettingTexts(DEFAULTS).map(([key, value]) => [key, { key, value }]))
    for (const row of rows) all.set(row.key, row)
    return { row: (key: string) => all.get(key), text: (key: string) => all.get(key)?.value ?? '' }
  }
  const by = { changedAt: '2020-11-03T15:00:00.000Z', changedBy: { id: 2, name: 'Marina Souza' } }

  test('says who changed it last and the default where it differs, and nothing of what nobody changed', () => {
    expect(describeLastChange(['historyByUser'], desk({ key: 'historyByUser', value: 'enabled', ...by }), t)).toBe(
      'Marina mudou em 03/11/2020; o padrão é desligado.',
    )
    expect(describeLastChange(['historyByUser'], desk({ key: 'historyByUser', value: 'disabled', ...by }), t)).toBe(
      'Marina mudou em 03/11/2020.',
    )
    expect(describeLastChange(['closeNpsInterval'], desk({ key: 'closeNpsInterval', value: '5' }), t)).toBe(
      'O padrão é 1 hora.',
    )
    expect(describeLastChange(['sound'], desk(), t)).toBeUndefined()
  })

  test('names the newest change of a row with several', () => {
    const later = { changedAt: '2020-12-01T15:00:00.000Z', changedBy: { id: 3, name: 'Otávio' } }
    const rows = desk(
      { key: 'horarioAbertura', value: '07:00', ...by },
      { key: 'horarioFechamento', value: '19:00', ...later },
    )
    expect(describeLastChange(['horarioAbertura', 'horarioFechamento'], rows, t)).toBe('Otávio mudou em 01/12/2020.')
  })
})

describe('decisions-2 §16: settings in the log', () => {
  const entry = (action: LogAction | null, params: Record<string, unknown>) => ({
    action,
    params,
    descricao: 'como foi escrito',
  })
  const change = (key: string) => describeEntry(entry('setting.update', { key }))
  const value = (key: string, text: string) =>
    describeFieldValue('setting.update', key, text, [makeUser({ id: 7, name: 'Marina' })])

  test('are called as their page calls them, each by a name of its own', () => {
    expect(change('allowAgendador')).toBe('Configuração alterada: Agendador')
    expect(change('saturday')).toBe('Configuração alterada: Dias de atendimento (Sáb)')
    expect(change('horarioFimAlmoco')).toBe('Configuração alterada: Almoço (fim)')
    expect(change('intervalCron')).toBe(
      'Configuração alterada: Pendente parado vai à próxima pessoa da fila (tempo de espera)',
    )
    const names = Object.keys(SETTINGS).map(change)
    expect(new Set(names).size).toBe(names.length)
    expect(change('aSettingOfLater')).toBe('Configuração alterada: aSettingOfLater')
    expect(describeEntry(entry(null, {}))).toBe('como foi escrito')
  })

  test('are found by what the reader calls them, which the server does not know', () => {
    expect(interpretSearch('almoco')).toEqual({ settings: 'horarioAlmoco,horarioFimAlmoco' })
    expect(interpretSearch('configuração agendador')).toEqual({ settings: 'allowAgendador' })
    expect(interpretSearch('tag criada')).toEqual({ actions: 'tag.create' })
    // All of them: they are found by their action.
    expect(interpretSearch('configuração alterada')).toEqual({ actions: 'setting.update' })
    expect(interpretSearch('xadrez')).toEqual({})
  })

  test('have their values in words, a person by name', () => {
    expect(value('call', 'enabled')).toBe('ligado')
    expect(value('saturday', 'disabled')).toBe('desligado')
    expect(value('intervalCron', '30')).toBe('30 minutos')
    expect(value('timeCreateNewTicket', '0')).toBe('Sempre enviar')
    expect(value('userCron', '7')).toBe('Marina')
    expect(value('userCron', '')).toBe('nada')
    expect(describeFieldValue('user.update', 'saturday', false, [])).toBe('não')
  })
})

describe('decisions-2 §18: the dry run in words', () => {
  const person = (userId: number, appear: number, disappear: number) => ({
    userId,
    name: `P${userId}`,
    appear,
    disappear,
    waiting: 0,
  })

  test('says how many conversations for how many people, which way, and that nothing changes', () => {
    const less: SettingPreview = {
      tickets: { appear: 0, disappear: 14 },
      people: [person(1, 0, 9), person(2, 0, 14), person(3, 0, 1)],
    }
    expect(describePreview(less, true, t)).toBe('Ao ligar: 14 atendimentos deixam de aparecer para 3 pessoas')
    const more: SettingPreview = { tickets: { appear: 1, disappear: 0 }, people: [person(1, 1, 0)] }
    expect(describePreview(more, false, t)).toBe('Ao desligar: 1 atendimento passa a aparecer para 1 pessoa')
    const none: SettingPreview = { tickets: { appear: 0, disappear: 0 }, people: [] }
    expect(describePreview(none, true, t)).toBe('Ao ligar: nada muda nos atendimentos de agora')
    expect(describePreview(none, true, t, 'userClosedQueues')).toBe(
      'Ao ligar: só mudam conversas fechadas, que não entram na conta',
    )
    expect(describePreview(null, true, t)).toBe('Ao ligar: contando os atendimentos…')
  })

  test('names twelve, and says how many more there are', () => {
    const people = Array.from({ length: 15 }, (_, at) => person(at, 0, 1))
    const { shown, more } = limitPeople({ tickets: { appear: 0, disappear: 3 }, people })
    expect([shown.length, more]).toEqual([12, 3])
  })
})

test('decisions-2 §12: own days are edited with a whole date and stored as they were', () => {
  const days = [
    { date: '11-21', name: 'Aniversário', open: false },
    { date: '02-29', name: 'Bissexto', open: false },
    { date: '2027-02-10', name: 'Cinzas', open: true },
  ]
  const edited = withIds(days, 2026)
  expect(edited.map(({ date, yearly }) => [date, yearly])).toEqual([
    ['2026-11-21', true],
    ['2024-02-29', true],
    ['2027-02-10', false],
  ])
  expect(JSON.parse(toHolidayDates(edited))).toEqual(days)
})

test.each(['pt', 'en', 'es'])('every placeholder that can be inserted says what it becomes, in %s', async language => {
  const { chip } = await Bun.file(`${import.meta.dir}/../locales/settings/${language}.json`).json()
  for (const name of Object.values(PLACEHOLDERS).flat()) expect([name, typeof chip[name]]).toEqual([name, 'string'])
})
