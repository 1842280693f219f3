// Where one is signed in, in browsers and terminals, and how to end one of them from afar (decisions-2 §23).
import en from '../../locales/devices/en.json'
import es from '../../locales/devices/es.json'
import pt from '../../locales/devices/pt.json'
import endEn from '../../locales/devices-end/en.json'
import endEs from '../../locales/devices-end/es.json'
import endPt from '../../locales/devices-end/pt.json'
import { defineCommand } from '../kit/command.ts'
import { formatInstant } from '../kit/when.ts'

export const devices = defineCommand({
  name: 'devices',
  texts: { pt, en, es },
  async run({ out, t, language, desk }) {
    const { api } = await desk()
    const found = await api('GET /auth/devices')
    out.answer({ devices: found }, () =>
      out.table(found, [
        { title: t('device'), of: row => row.terminal ?? t('browser'), gives: true },
        { title: t('since'), of: row => formatInstant(row.since, language) },
        { title: t('last'), of: row => formatInstant(row.lastAt, language) },
        { title: '', of: row => (row.current ? t('this') : ' '), tone: () => 'good' },
        { title: 'id', of: row => row.id, tone: () => 'muted' },
      ]),
    )
  },
})

export const endDevice = defineCommand({
  name: 'devices end',
  texts: { pt: endPt, en: endEn, es: endEs },
  args: { id: '<id>' },
  async run({ args: { id }, out, t, desk }) {
    const { api } = await desk()
    await api('DELETE /auth/devices/:id', { params: { id } })
    out.answer({ ended: id }, () => out.done(t('done')))
  },
})
