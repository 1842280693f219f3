// A new internal conversation: with one person, or with several as a group (spec 1 §2, §5).
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Button, Dialog, Field, Segments, TextInput, toast } from '@balcao/ui/parts'
import { useUser } from '@balcao/ui/session'
import { useState } from 'react'
import { chatCalls } from './chat-calls.ts'
import { chatDesk } from './chat-desk.ts'
import { People } from './People.tsx'

interface NewChatProps {
  readonly onClose: () => void
  readonly onOpened: (id: number) => void
}

export function NewChatDialog({ onClose, onOpened }: NewChatProps) {
  const t = useTexts('tickets')
  const common = useTexts('ui')
  const me = useUser().id
  const [kind, setKind] = useState<'direct' | 'group'>('direct')
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function open(body: Parameters<typeof chatCalls.open>[0]) {
    if (busy) return
    setBusy(true)
    try {
      const chat = await chatCalls.open({ userId: me, ...body })
      chatDesk().chats.take(chat)
      onOpened(chat.id)
    } catch (error) {
      setBusy(false)
      toast.error(errorText(error))
    }
  }

  function makeGroup() {
    if (name.trim() === '') return setProblem(t('chat.nameRequired'))
    if (chosen.size === 0) return setProblem(t('chat.peopleRequired'))
    void open({ isGroup: true, groupName: name.trim(), users: [...chosen] })
  }

  return (
    <Dialog
      title={t('chat.new')}
      intro={t(kind === 'direct' ? 'chat.introDirect' : 'chat.introGroup')}
      onClose={onClose}
      onSubmit={kind === 'group' ? makeGroup : undefined}
      footer={
        kind === 'group' && (
          <>
            <Button onClick={onClose}>{common('cancel')}</Button>
            <Button type="submit" kind="primary" busy={busy}>
              {t('chat.makeGroup')}
            </Button>
          </>
        )
      }
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
            kind === 'direct' ? void open({ callingUserId: user.id }) : setChosen(toggled(chosen, user.id))
          }
        />
      </div>
    </Dialog>
  )
}

/** A set with one thing more, or less where it was in. */
export function toggled(set: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(set)
  if (!next.delete(id)) next.add(id)
  return next
}
