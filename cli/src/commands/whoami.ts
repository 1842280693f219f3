// Who one is at the desk, and what one may.
import en from '../../locales/whoami/en.json'
import es from '../../locales/whoami/es.json'
import pt from '../../locales/whoami/pt.json'
import { defineCommand } from '../kit/command.ts'
import { toSafeLine } from '../kit/text.ts'

export const whoami = defineCommand({
  name: 'whoami',
  texts: { pt, en, es },
  async run({ out, t, desk }) {
    const { user, url, email } = await desk()
    const address = await email(user.email)
    const { id, name, profile } = user
    const queues = user.queues.map(queue => queue.name)
    out.answer({ url, id, name, email: address, profile, queues }, () => {
      out.line(`${out.paint(toSafeLine(name), 'strong')} <${address}>`)
      out.say(`${t(`profile.${profile}`)} · ${toSafeLine(queues.join(', ')) || t('noQueues')}`, 'muted')
      out.line(out.paint(url, 'link'))
    })
  },
})
