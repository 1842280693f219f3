// The privacy desk at the terminal (decisions-2 §19, §23): one person is found, handed over, erased, and that taken back.
import type { Erasure, HeldData } from '@balcao/contract'
import { ERASE_WORD } from '@balcao/contract/privacy/erased-name'
import { describeHeldData } from '@balcao/contract/privacy/held-data-texts'
import en from '../../locales/privacy/en.json'
import es from '../../locales/privacy/es.json'
import pt from '../../locales/privacy/pt.json'
import { type CommandContext, defineCommand } from '../kit/command.ts'
import { Failure } from '../kit/faults.ts'
import { checkFree } from '../kit/files.ts'
import { PRIVACY_TEXTS, SCREEN_TEXTS } from '../kit/pages.ts'
import { parseId } from '../kit/pick.ts'
import { followAndSave } from '../kit/results.ts'
import { toSafeLine } from '../kit/text.ts'
import { createTexts } from '../kit/texts.ts'
import { formatInstant } from '../kit/when.ts'

export const findPeople = defineCommand({
  name: 'privacy find',
  texts: { pt: { ...pt, ...pt.find }, en: { ...en, ...en.find }, es: { ...es, ...es.find } },
  args: { search: '<search>' },
  async run({ args, out, t, language, desk }) {
    const { api, email } = await desk()
    const found = await api('GET /privacy', { query: { searchParam: args.search } })
    const people = await Promise.all(found.people.map(async each => ({ ...each, email: await email(each.email) })))
    out.answer({ people }, () => {
      if (people.length === 0) return out.line(t('nobody'))
      out.table(people, [
        { title: 'id', of: row => row.id, right: true },
        { title: t('name'), of: row => row.name || '—', gives: true, tone: () => 'strong' },
        { title: t('number'), of: row => row.number ?? '—' },
        { title: t('since'), of: row => formatInstant(row.createdAt, language) },
        { title: t('due'), of: row => formatInstant(row.dueAt, language), tone: () => 'warn' },
      ])
    })
    return people.length > 0 ? 0 : 1
  },
})

export const listErasures = defineCommand({
  name: 'privacy list',
  texts: { pt: { ...pt, ...pt.list }, en: { ...en, ...en.list }, es: { ...es, ...es.list } },
  async run({ out, t, language, desk }) {
    const { api } = await desk()
    const { requests } = await api('GET /privacy')
    const page = createTexts(language, PRIVACY_TEXTS)
    out.answer({ requests }, () => {
      if (requests.length === 0) return out.line(t('none'))
      out.table(requests, [
        { title: 'id', of: row => row.contactId, right: true },
        { title: t('name'), of: row => row.name ?? '—', gives: true, tone: () => 'strong' },
        {
          title: t('state'),
          of: row => page(`state.${row.state}`),
          tone: ({ state }) => (state === 'done' ? 'good' : state === 'undone' ? 'muted' : 'warn'),
        },
        { title: t('by'), of: row => row.user?.name ?? page('owner'), gives: true },
        { title: t('at'), of: row => formatInstant(row.endedAt ?? row.dueAt, language) },
        { title: '', of: row => (row.held ? page(`heldBy.${row.held}`) : ' '), gives: true },
      ])
    })
  },
})

export const showPerson = defineCommand({
  name: 'privacy show',
  texts: { pt: { ...pt, ...pt.show }, en: { ...en, ...en.show }, es: { ...es, ...es.show } },
  args: { id: '<id>' },
  async run(call) {
    const held = await fetchHeldData(call)
    call.out.answer(held, () => tellHeld(call, held))
  },
})

export const exportPerson = defineCommand({
  name: 'privacy export',
  texts: { pt: { ...pt, ...pt.export }, en: { ...en, ...en.export }, es: { ...es, ...es.export } },
  args: { id: '<id>', file: '[file]' },
  options: { force: '--force' },
  async run(call) {
    const contactId = parseId(call.args.id)
    const wanted = { path: call.args.file, force: call.options.force }
    checkFree(wanted)
    const desk = await call.desk()
    const { jobId } = await desk.api('POST /privacy/:contactId/export', {
      params: { contactId },
      body: { language: call.language },
    })
    await followAndSave(call, desk, jobId, call.t('preparing'), wanted)
  },
})

export const erasePerson = defineCommand({
  name: 'privacy erase',
  texts: { pt: { ...pt, ...pt.erase }, en: { ...en, ...en.erase }, es: { ...es, ...es.erase } },
  args: { id: '<id>' },
  options: { reason: '--reason <reason>', yes: '--yes' },
  async run(call) {
    const { options, out, t, language } = call
    const held = await fetchHeldData(call)
    const { id: contactId } = held.person
    const reason = options.reason?.trim() ?? ''
    if (held.erasure === null) {
      if (held.protocols.count > 0 && reason === '')
        throw new Failure('reasonMissing', { count: held.protocols.count }, 2)
      if (!options.yes && !(await confirmErasure(call, held))) {
        out.answer({ erased: null }, () => out.line(t('notErased')))
        return 1
      }
    }
    const { api } = await call.desk()
    const body = { confirm: ERASE_WORD, ...(reason !== '' && { reason }) }
    const erasure: Erasure = await api('DELETE /privacy/:contactId', { params: { contactId }, body })
    out.answer(erasure, () => {
      out.done(t('asked', { at: formatInstant(erasure.dueAt, language) }))
      out.detail(t('undoWith', { id: contactId }))
    })
    return 0
  },
})

export const undoErasure = defineCommand({
  name: 'privacy undo',
  texts: { pt: { ...pt, ...pt.undo }, en: { ...en, ...en.undo }, es: { ...es, ...es.undo } },
  args: { id: '<id>' },
  async run({ args, out, t, desk }) {
    const contactId = parseId(args.id)
    const { api } = await desk()
    await api('POST /privacy/:contactId/undo', { params: { contactId } })
    out.answer({ undone: contactId }, () => out.done(t('done')))
  },
})

type PrivacyCall = CommandContext<{ readonly id: string }>

async function fetchHeldData({ args, desk }: Pick<PrivacyCall, 'args' | 'desk'>): Promise<HeldData> {
  const contactId = parseId(args.id)
  const { api, email } = await desk()
  const held = await api('GET /privacy/:contactId', { params: { contactId } })
  return { ...held, person: { ...held.person, email: await email(held.person.email) } }
}

/** Place by place, with what erasing makes of each. */
function tellHeld({ out, language }: Pick<PrivacyCall, 'out' | 'language'>, held: HeldData) {
  const page = createTexts(language, PRIVACY_TEXTS)
  const texts = { language, say: page, day: (instant: string) => formatInstant(instant, language) }
  out.say(toSafeLine(held.person.name) || page('noName'), 'strong')
  out.table(describeHeldData(held, texts), [
    { title: page('held'), of: ({ id }) => page(`place.${id}.name`), tone: () => 'strong' },
    { title: '', of: ({ says }) => says, gives: true },
    {
      title: page('ifErased'),
      of: ({ id }) => page(`place.${id}.fate`),
      gives: true,
      tone: ({ fate }) => (fate === 'goes' ? 'good' : fate === 'stays' ? undefined : 'muted'),
    },
  ])
  if (held.erasure) out.say(page('waits', { at: formatInstant(held.erasure.dueAt, language) }), 'warn')
}

/** The word of the page has to be written. */
async function confirmErasure(call: PrivacyCall, held: HeldData): Promise<boolean> {
  const { ask, out, t, language } = call
  if (!ask.isThere) throw new Failure('needsYesErase', {}, 2)
  const page = createTexts(language, PRIVACY_TEXTS)
  const word = createTexts(language, SCREEN_TEXTS)('danger.word')
  if (!out.json) tellHeld(call, held)
  out.say(page('wayOut'))
  return (await ask.line(`${t('type', { word })}: `)).toUpperCase() === word
}
