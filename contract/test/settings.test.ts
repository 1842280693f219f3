import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  canWriteSetting,
  DEFAULTS,
  findSettingFault,
  isPreviewed,
  isSettingKey,
  listSettingOptions,
  listSettingsSwitchedOff,
  normalizeSettingText,
  parseSettings,
  SETTINGS,
  toSettingTexts,
  validateSettings,
} from '../src/settings/settings.ts'
import faults from '../texts/faults/pt.json'

test('every default of a setting is a value the setting takes, and its text reads as it', () => {
  const texts = toSettingTexts(DEFAULTS)
  expect(texts.map(([key]) => key)).toEqual(Object.keys(SETTINGS).filter(isSettingKey))
  for (const [key, text] of texts)
    expect({ key, fault: SETTINGS[key].kind === 'secret' ? null : findSettingFault(key, text) }).toEqual({
      key,
      fault: null,
    })
  expect(parseSettings(Object.fromEntries(texts))).toEqual(DEFAULTS)
})

test('settings are read once: toggles are booleans, intervals numbers, times minutes of the day, a person an id', () => {
  const { hierarchy, greetingInterval, horarioAbertura, userCron, holidayDates, sound } = parseSettings({
    hierarchy: 'enabled',
    greetingInterval: '86400',
    horarioAbertura: '09:30',
    userCron: '7',
    holidayDates: '[{"date":"11-21","name":"Aniversário","open":false}]',
    sound: 'blub',
  })
  expect({ hierarchy, greetingInterval, horarioAbertura, userCron, sound }).toEqual({
    hierarchy: true,
    greetingInterval: 86_400,
    horarioAbertura: 570,
    userCron: 7,
    sound: 'blub',
  })
  expect(holidayDates).toEqual([{ date: '11-21', name: 'Aniversário', open: false }])
  expect(toSettingTexts({ hierarchy: false, horarioAbertura: 570, userCron: null })).toEqual([
    ['hierarchy', 'disabled'],
    ['horarioAbertura', '09:30'],
    ['userCron', ''],
  ])
})

test('what is stored and makes no sense counts as not stored', () => {
  const stored = {
    hierarchy: 'yes',
    intervalClose: '11',
    timezone: 'Mars/Olympus',
    holidayDates: '[{}]',
    optOutWord: '5',
    nada: 'x',
  }
  expect(parseSettings(stored)).toEqual(DEFAULTS)
})

test('spec 2 §5: wrong times are refused with the sentences of the specification, everything else with a code', () => {
  const parse = (key: keyof typeof SETTINGS, text: string) => {
    const fault = findSettingFault(key, text)
    return fault && faults.setting[fault.code]
  }
  expect(parse('horarioAbertura', '24:00')).toBe('Horário de abertura inválido')
  expect(parse('horarioFechamento', '8:00')).toBe('Horário de fechamento inválido')
  expect(parse('horarioAlmoco', '12:60')).toBe('Horário de almoço inválido')
  expect(parse('horarioFimAlmoco', '1300')).toBe('Horário de final de almoço inválido')
  expect(findSettingFault('hierarchy', 'true')).toEqual({ code: 'toggle' })
  expect(findSettingFault('intervalClose', '11')).toEqual({
    code: 'option',
    params: { options: '10, 15, 30, 60, 180, 1440' },
  })
  expect(findSettingFault('dailyCap', '0')?.code).toBe('number')
  expect(findSettingFault('msgOutOfTime', 'x'.repeat(4001))).toEqual({ code: 'tooLong', params: { most: '4000' } })
  const words = ['x'.repeat(41), '1', '5️⃣', 'nota 5', '!!!', ' voltar.', '-']
  expect(words.filter(word => findSettingFault('optOutWord', word)?.code === 'optOut')).toEqual(words)
  expect(['', 'SAIR', ' Não quero', 'PARE 2'].map(word => findSettingFault('optOutWord', word))).toEqual(
    Array(4).fill(null),
  )
  expect(findSettingFault('timezone', 'Mars/Olympus')).toEqual({ code: 'timezone' })
  expect(findSettingFault('userCron', '-1')).toEqual({ code: 'person' })
  expect(findSettingFault('holidayDates', '[{"date":"13-01","name":"x","open":true}]')).toEqual({ code: 'holidays' })
  expect(findSettingFault('userApiToken', 'geheim')).toEqual({ code: 'readOnly' })
})

test('spec 2 §4: of history by queue and by user one switches the other off', () => {
  expect(listSettingsSwitchedOff('historyByQueue', 'enabled')).toEqual(['historyByUser'])
  expect(listSettingsSwitchedOff('historyByUser', 'enabled')).toEqual(['historyByQueue'])
  expect(listSettingsSwitchedOff('historyByUser', 'disabled')).toEqual([])
  expect(listSettingsSwitchedOff('hierarchy', 'enabled')).toEqual([])
})

test('decisions-2 §22: of several values each is asked, and two that exclude each other are refused together', () => {
  expect(validateSettings({ horarioAlmoco: '12:00', horarioFimAlmoco: '13:75', monday: 'enabled' })).toEqual({
    horarioFimAlmoco: { code: 'lunchEnd' },
  })
  const both = validateSettings({ historyByQueue: 'enabled', historyByUser: 'enabled' })
  expect(Object.values(both).map(({ code }) => code)).toEqual(['exclusive', 'exclusive'])
  expect(validateSettings({ historyByQueue: 'enabled', historyByUser: 'disabled' })).toEqual({})
  const { historyByQueue, historyByUser } = parseSettings({ historyByQueue: 'enabled', historyByUser: 'enabled' })
  expect([historyByQueue, historyByUser]).toEqual([true, false])
})

test('spec 2 §4: an empty text is kept as the default; an address may be empty, and is one of the web', () => {
  expect(normalizeSettingText('msgOutOfTime', ' ')).toBe(DEFAULTS.msgOutOfTime)
  expect([normalizeSettingText('uriIframe', ' '), normalizeSettingText('uriIframe', ' https://crm.example ')]).toEqual([
    '',
    'https://crm.example',
  ])
  for (const address of ['javascript:alert(1)', 'ftp://crm.example', 'crm.example'])
    expect(findSettingFault('uriIframe', address)).toEqual({ code: 'address' })
})

test('decisions-2 §12: a day of the company’s own is one there is, named, and stands there once', () => {
  const days = (...dates: string[]) => JSON.stringify(dates.map(date => ({ date, name: 'x', open: false })))
  expect(findSettingFault('holidayDates', days('02-29', '2028-02-29', '12-31'))).toBeNull()
  for (const wrong of [days('02-30'), days('2027-02-29'), days('11-21', '11-21'), days('2026-13-01'), '{}', '[1]'])
    expect(findSettingFault('holidayDates', wrong)).toEqual({ code: 'holidays' })
})

test('spec 2 §9: the values to choose from are those of the specification', () => {
  expect(listSettingOptions('intervalCron')).toEqual(['2', '5', '10', '15', '30', '60'])
  expect(listSettingOptions('sound')).toEqual(['default', 'blub', 'experience', 'skype'])
  expect(listSettingOptions('hierarchy')).toEqual([])
  expect([isPreviewed('hierarchy'), isPreviewed('historyByUser')]).toEqual([true, false])
})

test('spec 2 §6: blockImportContacts is written by the owner alone, everything else by administrators', () => {
  expect(canWriteSetting({ id: 1, profile: 'admin' }, 'blockImportContacts')).toBe(true)
  expect(canWriteSetting({ id: 2, profile: 'admin' }, 'blockImportContacts')).toBe(false)
  expect(canWriteSetting({ id: 2, profile: 'admin' }, 'hierarchy')).toBe(true)
  expect(canWriteSetting({ id: 2, profile: 'gerente' }, 'hierarchy')).toBe(false)
})

test('nobody but the kinds of settings compares the text of a toggle', () => {
  const root = join(import.meta.dir, '../..')
  const folders = ['contract', 'formats', 'backend', 'ui', 'shell', 'cli', 'bench', 'simulator', 'e2e', 'scripts']
    .concat(readdirSync(root).filter(name => name.startsWith('mfe-')))
    .filter(name => readdirSync(root).includes(name))
  const files = folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(path => /\.tsx?$/.test(path) && !/node_modules|\/?test\/|\.test\./.test(path))
      .map(path => join(folder, path)),
  )
  expect(files.length).toBeGreaterThan(300)
  const comparing = files.filter(path =>
    /[!=]==? '(en|dis)abled'|'(en|dis)abled' [!=]==?/.test(readFileSync(join(root, path), 'utf8')),
  )
  expect(comparing).toEqual([join('contract', 'src', 'settings', 'setting-kinds.ts')])
})
