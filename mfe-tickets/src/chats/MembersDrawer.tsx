// Who is in a chat; in a group its members can change them.

import type { SharedChat } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { describeFault } from '@balcao/ui/catalogue'
import { useTexts } from '@balcao/ui/i18n'
import { Button, Dialog, Drawer, Field, FormButtons, TextInput, useNarrowerThan } from '@balcao/ui/parts'
import { useUser } from '@balcao/ui/session'
import { UserPen } from 'lucide-react'
import { useState } from 'react'
import '../contact/late.css'
import { ChatAvatar } from './ChatRow.tsx'
import { getChatStores } from './chat-stores.ts'
import { People, Person } from './People.tsx'
import { formatChatTitle, isMember } from './use-chats.ts'

interface MembersProps {
  readonly chat: SharedChat
  readonly onClose: () => void
}

export function MembersDrawer({ chat, onClose }: MembersProps) {
  const t = useTexts('tickets')
  const me = useUser().id
  const over = useNarrowerThan('wide')
  const [editing, setEditing] = useState(false)
  return (
    <Drawer title={t('chat.participants')} width={320} over={over} onClose={onClose}>
      <div className="x-head">
        <ChatAvatar chat={chat} size={56} />
        <h3>{formatChatTitle(chat, me)}</h3>
      </div>
      <section className="x-section">
        <h4>{t('chat.people', { count: chat.users.length })}</h4>
        <ul className="i-people is-still" aria-label={t('chat.participants')}>
          {chat.users.map(user => (
            <li key={user.id} className="i-person">
              <Person user={user} note={user.id === me ? t('you') : undefined} />
            </li>
          ))}
        </ul>
        {chat.isGroup && isMember(chat, me) && (
          <Button icon={UserPen} onClick={() => setEditing(true)}>
            {t('chat.edit')}
          </Button>
        )}
      </section>
      {editing && <MembersDialog chat={chat} onClose={() => setEditing(false)} />}
    </Drawer>
  )
}

/**
 * The current user cannot be removed (spec 1 §2). Only what is ticked and unticked here is changed: colleagues may change the group
 * meanwhile.
 */
export function MembersDialog({ chat, onClose }: MembersProps) {
  const t = useTexts('tickets')
  const me = useUser().id
  const [name, setName] = useState(chat.groupName)
  const [wanted, setWanted] = useState<ReadonlyMap<number, boolean>>(new Map())
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, during] = useBusy()
  const members = chat.users.map(user => user.id)
  const add = [...wanted.keys()].filter(id => wanted.get(id) && !members.includes(id))
  const remove = members.filter(id => wanted.get(id) === false)
  const chosen = new Set([...members.filter(id => !remove.includes(id)), ...add])

  function save() {
    if (name.trim() === '') return setProblem(describeFault('call.groupName'))
    if (chosen.size < 2) return setProblem(t('chat.peopleRequired'))
    const renamed = name.trim() === chat.groupName ? {} : { groupName: name.trim() }
    during(async () => {
      const body = { ...renamed, ...(add.length > 0 && { add }), ...(remove.length > 0 && { remove }) }
      getChatStores().chats.take(await api('PUT /chats/:id', { params: { id: chat.id }, body }))
      onClose()
    })
  }

  return (
    <Dialog
      title={t('chat.edit')}
      intro={t('chat.editIntro')}
      onClose={onClose}
      onSubmit={save}
      footer={<FormButtons framed action={t('chat.save')} busy={busy} onClose={onClose} />}
    >
      <div className="g-form">
        <Field label={t('chat.groupName')} required>
          <TextInput value={name} maxLength={255} onChange={setName} />
        </Field>
        {problem && (
          <p className="k-problem" role="alert">
            {problem}
          </p>
        )}
        <People
          members={chat.users}
          ticked={chosen}
          fixed={[me]}
          onChoose={({ id }) => setWanted(new Map(wanted).set(id, !chosen.has(id)))}
        />
      </div>
    </Dialog>
  )
}
