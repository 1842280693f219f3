// Colleagues who follow a ticket: one is asked in, and one leaves again.
import askEn from '../../locales/tickets-ask-in/en.json'
import askEs from '../../locales/tickets-ask-in/es.json'
import askPt from '../../locales/tickets-ask-in/pt.json'
import leaveEn from '../../locales/tickets-leave/en.json'
import leaveEs from '../../locales/tickets-leave/es.json'
import leavePt from '../../locales/tickets-leave/pt.json'
import { defineCommand } from '../kit/command.ts'
import { parseId, pick } from '../kit/pick.ts'

export const askIn = defineCommand({
  name: 'tickets ask-in',
  texts: { pt: askPt, en: askEn, es: askEs },
  args: { id: '<id>', person: '<person>' },
  async run({ args, out, t, desk, during }) {
    const id = parseId(args.id)
    const { api } = await desk()
    const { users } = await during(t('asking'), api('GET /users', { query: { all: 'true' } }))
    const active = users.filter(user => user.active)
    const { id: userId, name } = pick(active, args.person)
    const ticket = await during(t('asking'), api('PUT /tickets/:id/followers/:userId', { params: { id, userId } }))
    out.answer({ ticket }, () => out.done(t('done', { name })))
  },
})

export const leaveTicket = defineCommand({
  name: 'tickets leave',
  texts: { pt: leavePt, en: leaveEn, es: leaveEs },
  args: { id: '<id>' },
  async run({ args, out, t, desk, during }) {
    const id = parseId(args.id)
    const { api, user } = await desk()
    await during(t('asking'), api('DELETE /tickets/:id/followers/:userId', { params: { id, userId: user.id } }))
    out.answer({ left: id }, () => out.done(t('done')))
  },
})
