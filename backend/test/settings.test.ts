// Settings are saved, alone and together, and count from then on (spec 2 §4, decisions-2 §22).
import { describe, expect, setSystemTime, test } from 'bun:test'
import { parseSettings, type SettingSaveResult } from '@balcao/contract'
import { getSql } from '../src/platform/database/raw.ts'
import { clearSettingsCache, readSettings } from '../src/policy/settings/read.ts'
import type { SignedInPerson } from './desk-server.ts'
import { makeConnection, makeContact, makeMessage, makePerson, makeTicket } from './desk-world.ts'
import { faults, put, startSettingsDesk } from './settings-desk.ts'

const { db, staff, marina, otavio, now, count } = await startSettingsDesk()

// First of all: a change that this server is told of would end the copy as well.
test('what another process has changed, and nobody told of, counts within seconds', async () => {
  const begin = Date.now()
  setSystemTime(begin)
  try {
    clearSettingsCache(db)
    const before = (await readSettings(db)).intervalClose
    await getSql(db)`
      insert into setting (key, value) values ('intervalClose', '1440') on conflict (key) do update set value = '1440'`
    expect((await readSettings(db)).intervalClose).toBe(before)
    setSystemTime(begin + 5000)
    expect((await readSettings(db)).intervalClose).toBe(1440)
  } finally {
    setSystemTime()
  }
  await getSql(db)`delete from setting where key = 'intervalClose'`
  clearSettingsCache(db)
})

describe('decisions-2 §22: several settings at once', () => {
  test('spec 2 §4: lunch is saved only if both are right, with the sentences of the specification', async () => {
    const wrong = await put(marina, { horarioAlmoco: '11:30', horarioFimAlmoco: '13:75' })
    expect(wrong.status).toBe(422)
    expect(faults(wrong)).toEqual([['values/horarioFimAlmoco', 'lunchEnd', 'Horário de final de almoço inválido']])
    expect(await now('horarioAlmoco')).toMatchObject({ value: '12:00', version: 0, changedBy: null })
    const right = await put(marina, { horarioAlmoco: '11:30', horarioFimAlmoco: '12:45' })
    expect(right.body.map(({ key, value, version }) => [key, value, version])).toEqual([
      ['horarioAlmoco', '11:30', 1],
      ['horarioFimAlmoco', '12:45', 1],
    ])
  })

  test('opening hours with every wrong field at once', async () => {
    const wrong = await put(marina, { horarioAbertura: '24:00', horarioFechamento: '8h', monday: 'disabled' })
    expect(faults(wrong)).toEqual([
      ['values/horarioAbertura', 'opening', 'Horário de abertura inválido'],
      ['values/horarioFechamento', 'closing', 'Horário de fechamento inválido'],
    ])
    expect((await now('monday'))?.value).toBe('enabled')
  })

  test('an unknown key, the token, or one that only the owner may write keeps all others unsaved', async () => {
    for (const [key, code] of [
      ['nada', 'ERR_NO_SETTING_FOUND'],
      ['__proto__', 'ERR_NO_SETTING_FOUND'],
      ['userApiToken', 'ERR_VALIDATION'],
      ['blockImportContacts', 'ERR_NO_PERMISSION'],
    ] as const) {
      const body = `{"values":{"sunday":"enabled","${key}":"enabled"}}`
      const { body: refused } = await marina.call('PUT', '/settings', body)
      expect([key, refused.error]).toEqual([key, code])
    }
    expect(await now('sunday')).toMatchObject({ value: 'disabled', version: 0 })
  })

  test('what is as it was is not saved again: no entry, no event, the same version', async () => {
    await put(marina, { saturday: 'enabled' })
    const before = await count()
    const again = await put(otavio, { saturday: 'enabled' })
    expect(again.body).toMatchObject([{ key: 'saturday', version: 1, changedBy: { name: 'Marina' } }])
    expect(await count()).toEqual(before)
  })

  test('each change is in the activity log with what it was before, and told to everybody', async () => {
    await put(marina, { intervalCron: '30', messageBot: 'Não achei.' })
    const deeds = await getSql(db)<{ params: unknown }[]>`
      select params from log_entry where action = 'setting.update' order by id desc limit 2`
    expect(deeds.map(({ params }) => params)).toEqual([
      { key: 'messageBot' },
      { key: 'intervalCron', from: '10', value: '30' },
    ])
    const [told] = await getSql(db)<{ audience: unknown; payload: string }[]>`
      select audience, payload from live_event where payload like '%intervalCron%'`
    expect(told?.audience).toEqual({ to: 'everyone' })
    expect(JSON.parse(told?.payload ?? '')).toMatchObject({
      event: 'settings',
      version: 1,
      setting: { key: 'intervalCron', value: '30' },
    })
  })
})

describe('spec 2 §4: settings that exclude each other', () => {
  test('together are refused; of one that is enabled alone the other goes off, and that is told too', async () => {
    const both = await put(marina, { historyByQueue: 'enabled', historyByUser: 'enabled' })
    expect([both.status, faults(both)]).toEqual([
      422,
      [
        ['values/historyByQueue', 'exclusive', 'Histórico por fila e por pessoa não combinam: ligue um só'],
        ['values/historyByUser', 'exclusive', 'Histórico por fila e por pessoa não combinam: ligue um só'],
      ],
    ])
    await put(marina, { historyByQueue: 'enabled' })
    const { body } = await put(marina, { historyByUser: 'enabled' })
    expect(body.map(({ key, value }) => [key, value])).toEqual([
      ['historyByUser', 'enabled'],
      ['historyByQueue', 'disabled'],
    ])
    await put(marina, { historyByUser: 'disabled', historyByQueue: 'enabled' })
    expect((await now('historyByUser'))?.value).toBe('disabled')
  })

  test('by twenty people at once, one after the other: all are answered, one is on, conversations open', async () => {
    const tries = Array.from({ length: 20 }, (_, n) => {
      const value = { value: 'enabled' }
      return marina.call('PUT', `/settings/${n % 2 ? 'historyByQueue' : 'historyByUser'}`, value)
    })
    expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([200]))
    const values = [await now('historyByQueue'), await now('historyByUser')].map(one => one?.value)
    expect(values.sort()).toEqual(['disabled', 'enabled'])
  })

  test('both in the database from elsewhere count as the first one', async () => {
    const whatsappId = await makeConnection(db, 'Antiga')
    const contactId = await makeContact(db, 'Dona Lúcia')
    const id = await makeTicket(db, { contactId, whatsappId, status: 'open' })
    await makeMessage(db, id, 'bom dia')
    await getSql(db)`update setting set value = 'enabled' where key in ('historyByQueue', 'historyByUser')`
    expect([(await now('historyByQueue'))?.value, (await now('historyByUser'))?.value]).toEqual(['enabled', 'disabled'])
    for (const person of [marina, ...staff]) expect((await person.call('GET', `/messages/${id}`)).status).not.toBe(500)
    await put(marina, { historyByQueue: 'disabled', historyByUser: 'disabled' })
    await getSql(db)`update ticket set status = 'closed' where id = ${id}`
  })
})

describe('decisions-2 §22: saved by somebody else', () => {
  test('the second of two who began from the same version is told, with what stands there now', async () => {
    const from = (await now('optOutWord'))?.version ?? -1
    const ask = (as: SignedInPerson, value: string) =>
      as.call<SettingSaveResult>('PUT', '/settings/optOutWord', { value, version: from })
    const answers = await Promise.all([ask(marina, 'CHEGA'), ask(otavio, 'BASTA')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const [won, lost] = answers.sort((a, b) => a.status - b.status)
    expect(lost?.body).toMatchObject({
      error: 'ERR_CHANGED_MEANWHILE',
      details: [{ key: 'optOutWord', value: won?.body.value, version: from + 1 }],
    })
    const { body: again } = await put(
      otavio,
      { optOutWord: 'BASTA', sound: 'blub' },
      { optOutWord: from + 1, sound: 0 },
    )
    expect(again).toMatchObject([{ value: 'BASTA', changedBy: { name: 'Otavio' } }, { value: 'blub' }])
    expect((await put(marina, { optOutWord: 'SAIR', sound: 'skype' }, { optOutWord: from + 2, sound: 0 })).status).toBe(
      409,
    )
    expect((await now('sound'))?.value).toBe('blub')
  })

  test('without a version the last one wins', async () => {
    await marina.call('PUT', '/settings/dailyCap', { value: '500' })
    expect((await otavio.call('PUT', '/settings/dailyCap', { value: '700' })).status).toBe(200)
    expect(await now('dailyCap')).toMatchObject({ value: '700', version: 2, changedBy: { name: 'Otavio' } })
  })
})

describe('values', () => {
  test('spec 2 §4: an empty text becomes the default, with a warning; an empty address stays empty', async () => {
    for (const key of ['msgOutOfTime', 'mensagemTransfer', 'messageBot', 'optOutWord']) {
      await marina.call('PUT', `/settings/${key}`, { value: 'outro' })
      const { body } = await marina.call<SettingSaveResult>('PUT', `/settings/${key}`, { value: ' \n' })
      expect(body).toMatchObject({ key, value: parseSettings({})[key as 'msgOutOfTime'], warning: 'defaultText' })
    }
    const { body } = await marina.call<SettingSaveResult>('PUT', '/settings/uriIframe', { value: ' ' })
    expect(body).toMatchObject({ value: '' })
    expect(body.warning).toBeUndefined()
  })

  test('decisions §5: uriIframe is an address of the web and nothing else', async () => {
    for (const value of [
      'javascript:alert(1)',
      'data:text/html,x',
      'crm.example',
      '//crm.example',
      'https://a:b@crm.example',
    ])
      expect(faults(await marina.call('PUT', '/settings/uriIframe', { value }))).toMatchObject([
        ['value', 'address', expect.any(String)],
      ])
    const { body } = await marina.call<SettingSaveResult>('PUT', '/settings/uriIframe', {
      value: ' https://crm.example/{{number}} ',
    })
    expect(body.value).toBe('https://crm.example/{{number}}')
  })

  test('decisions §5: userCron names a person who is there and active', async () => {
    const id = async (name: string, active = true) => String(await makePerson(db, { name, profile: 'user', active }))
    const [ana, ida] = [await id('Ana'), await id('Ida', false)]
    const gone = await id('Foi')
    await getSql(db)`update "user" set deleted_at = now() where id = ${Number(gone)}`
    for (const value of [ida, gone, '999999'])
      expect(faults(await put(marina, { userCron: value, queueCron: 'enabled' }))).toEqual([
        ['values/userCron', 'nobody', 'Escolha uma pessoa ativa'],
      ])
    expect((await now('queueCron'))?.value).toBe('disabled')
    expect((await put(marina, { userCron: ana, queueCron: 'enabled' })).status).toBe(200)
    // Who is let out later stays named: what is as it was may be sent along.
    await getSql(db)`update "user" set active = false where id = ${Number(ana)}`
    expect((await put(marina, { userCron: ana, intervalCron: '15' })).status).toBe(200)
    expect((await put(marina, { userCron: '', queueCron: 'disabled' })).status).toBe(200)
  })

  test('decisions-2 §12: holidayDates are kept as dates with names, each once; nothing else of them is', async () => {
    const good = [
      { date: '11-21', name: ' Aniversário da loja ', open: false },
      { date: '2027-02-10', name: 'Cinzas', open: true },
    ]
    const { body } = await marina.call<SettingSaveResult>('PUT', '/settings/holidayDates', {
      value: JSON.stringify(good.map(day => ({ ...day, extra: '<script>' }))),
    })
    expect(JSON.parse(body.value)).toEqual([{ ...good[0], name: 'Aniversário da loja' }, good[1]])
    for (const days of [
      [{ ...good[0], date: '02-30' }],
      [{ ...good[0], date: '2027-02-29' }],
      [good[0], good[0]],
      [{ ...good[0], name: ' ' }],
      {},
    ])
      expect((await marina.call('PUT', '/settings/holidayDates', { value: JSON.stringify(days) })).status).toBe(422)
  })
})

test('decisions §5: what is saved counts for whatever this process does next', async () => {
  const before = (await readSettings(db)).botIdle
  await put(marina, { botIdle: String(before + 1) })
  expect((await readSettings(db)).botIdle).toBe(before + 1)
  await marina.call('PUT', '/settings/botIdle', { value: String(before) })
  expect((await readSettings(db)).botIdle).toBe(before)
})

test('a hundred and fifty saves at once are done one after the other or told that they come too late, each in the log, and who reads meanwhile is answered', async () => {
  const texts = Array.from({ length: 150 }, (_, n) => `Volte às ${n}`)
  const before = await now('msgOutOfTime')
  const saves = texts.map(value => marina.call<SettingSaveResult>('PUT', '/settings/msgOutOfTime', { value }))
  const reads = Array.from({ length: 5 }, () => staff[1]?.call('GET', '/settings'))
  expect((await Promise.all(reads)).map(answer => answer?.status)).toEqual(Array(5).fill(200))
  const answers = await Promise.all(saves)
  const done = answers.filter(({ status }) => status === 200).length
  for (const { status } of answers) expect([200, 503]).toContain(status)
  const after = await now('msgOutOfTime')
  expect([(after?.version ?? 0) - (before?.version ?? 0), texts.includes(after?.value ?? '')]).toEqual([done, true])
  const [row] = await getSql(db)`
    select count(*)::int as n from log_entry where action = 'setting.update' and params->>'key' = 'msgOutOfTime'`
  expect(row?.n).toBeGreaterThanOrEqual(done)
})
