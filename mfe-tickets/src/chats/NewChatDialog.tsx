// A new internal conversation: with one person, or with several as a group (spec 1 §2, §5).

import type { RequestBody } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { makeId } from '@balcao/ui/browser'
import { describeFault } from '@balcao/ui/catalogue'
import { useTexts } from '@balcao/ui/i18n'
import { Dialog, Field, FormButtons, Segments, TextInput } from '@balcao/ui/parts'
import { useUser } from '@balcao/ui/session'
import { useState } from 'react'
import { awaitComposer } from '../composer/coming.ts'
import { useIsOpen } from '../dialogs/use-is-open.ts'
import { getChatStores } from './chat-stores.ts'
import { toChatLane } from './lane.ts'
import { People } from './People.tsx'

interface NewChatProps {
  readonly onClose: () => void
  readonly onOpened: (id: number) => void
}

export function NewChatDialog({ onClose, onOpened }: NewChatProps) {
  const t = useTexts('tickets')
  const me = useUser().id
  const [kind, setKind] = useState<'direct' | 'group'>('direct')
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, during] = useBusy()
  const [clientId] = useState(makeId)
  const isOpen = useIsOpen()

  const open = (body: RequestBody<'POST /chats'>) =>
    during(async () => {
      const composer = awaitComposer(null)
      try {
        const chat = await api('POST /chats', { body: { userId: me, ...body } })
        getChatStores().chats.take(chat)
        if (!isOpen.current) return composer.fails()
        onOpened(chat.id)
        composer.stands(toChatLane(chat.id))
      } catch (error) {
        composer.fails()
        throw error
      }
    })

  function makeGroup() {
    if (name.trim() === '') return setProblem(describeFault('call.groupName'))
    if (chosen.size === 0) return setProblem(t('chat.peopleRequired'))
    open({ isGroup: true, groupName: name.trim(), users: [...chosen], clientId })
  }

  return (
    <Dialog
      title={t('chat.new')}
      intro={t(kind === 'direct' ? 'chat.introDirect' : 'chat.introGroup')}
      onClose={onClose}
      onSubmit={kind === 'group' ? makeGroup : undefined}
      footer={kind === 'group' && <FormButtons framed action={t('chat.makeGroup')} busy={busy} onClose={onClose} />}
    >
      <div className="g-form">
        <Segments
          label={t('chat.kind')}
          tabs={[
            { id: 'direct', label: t('chat.direct') },
            { id: 'group', label: t('chat.group') },
          ]}
          chosen={kind}
          onChoose={setKind}
        />
        {kind === 'group' && (
          <Field label={t('chat.groupName')} required>
            <TextInput value={name} maxLength={255} onChange={setName} />
          </Field>
        )}
        {problem && (
          <p className="k-problem" role="alert">
            {problem}
          </p>
        )}
        <People
          key={kind}
          without={[me]}
          ticked={kind === 'group' ? chosen : undefined}
          onChoose={user =>
            kind === 'direct' ? open({ callingUserId: user.id }) : setChosen(toggleMember(chosen, user.id))
          }
        />
      </div>
    </Dialog>
  )
}

/** A set with one thing more, or less where it was in. */
function toggleMember(set: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(set)
  if (!next.delete(id)) next.add(id)
  return next
}
