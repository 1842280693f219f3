// The people of the team.
import en from '../../locales/users/en.json'
import es from '../../locales/users/es.json'
import pt from '../../locales/users/pt.json'
import { defineCommand } from '../kit/command.ts'

export const users = defineCommand({
  name: 'users',
  texts: { pt, en, es },
  args: { search: '[search]' },
  async run({ args: { search }, out, t, desk, during }) {
    const { api, email } = await desk()
    const { users } = await during(t('asking'), api('GET /users', { query: { all: 'true', searchParam: search } }))
    const found = await Promise.all(users.map(async user => ({ ...user, email: await email(user.email) })))
    out.answer({ users: found }, () => {
      if (found.length === 0) return out.line(t('none'))
      out.table(found, [
        { title: t('name'), of: row => row.name, gives: true, tone: row => (row.active ? 'strong' : 'muted') },
        { title: t('profile'), of: row => t(`is.${row.profile}`) },
        {
          title: t('state'),
          of: row => t(row.active ? `now.${row.status}` : 'now.inactive'),
          tone: row => (row.active && row.status === 'online' ? 'good' : 'muted'),
        },
        { title: t('queues'), of: row => row.queues.map(({ name }) => name).join(', '), gives: true },
        { title: 'e-mail', of: row => row.email, gives: true },
        { title: 'id', of: row => row.id, right: true, tone: () => 'muted' },
      ])
    })
  },
})
