// The button for a new conversation: in the head of the list, on phones a square in the corner; N from everywhere on the desk.
import { useActions } from '@balcao/ui/actions'
import { useTexts } from '@balcao/ui/i18n'
import { Icon, IconButton, useNarrowerThan } from '@balcao/ui/parts'
import { MessageSquarePlus } from 'lucide-react'
import { listAction } from '../actions/list-action.ts'
import { startConversation } from './state.ts'

/** The same array always: it is registered once. */
export const NEW_CONVERSATION = [listAction('new', 'N', () => startConversation(), { icon: MessageSquarePlus })]

export function NewConversation() {
  const t = useTexts('tickets')
  const phone = useNarrowerThan('phone')
  useActions(NEW_CONVERSATION)
  if (!phone)
    return (
      <IconButton
        icon={MessageSquarePlus}
        label={t('action.new')}
        shortcut="N"
        data-action="tickets.new"
        onClick={() => startConversation()}
      />
    )
  return (
    <button type="button" className="n-corner" aria-label={t('action.new')} onClick={() => startConversation()}>
      <Icon of={MessageSquarePlus} size={20} />
    </button>
  )
}
