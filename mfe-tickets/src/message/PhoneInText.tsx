// A number in a message: written to, or copied.
import { useTexts } from '@balcao/ui/i18n'
import { copyText, Menu } from '@balcao/ui/parts'
import { Copy, MessageSquarePlus } from 'lucide-react'
import { startConversation } from '../new-ticket/state.ts'

export function PhoneInText({ number }: { readonly number: string }) {
  const t = useTexts('tickets')
  return (
    <Menu
      label={number}
      align="start"
      items={[
        {
          id: 'write',
          label: t('namedNumber.write'),
          icon: MessageSquarePlus,
          onChoose: () => startConversation({ number }),
        },
        { id: 'copy', label: t('namedNumber.copy'), icon: Copy, onChoose: () => void copyText(number) },
      ]}
      button={props => (
        <button type="button" className="m-number" {...props}>
          {number}
        </button>
      )}
    />
  )
}
