// What stands for something that cannot be shown here: what it is, and what to do. Kept and shown, never dropped.
import '../conversation/texts.ts'
import type { Message } from '@balcao/contract'
import { hasText, useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { CircleHelp, Phone, Smartphone } from 'lucide-react'

export function Notice({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const { card } = message.details ?? {}
  const noticeCode = card?.kind === 'notice' ? card.code : 'new_kind'
  // A newer server may know more of them.
  const code = hasText('tickets', `cannotShow.${noticeCode}`) ? noticeCode : 'new_kind'
  const calls = code.startsWith('calls_')
  const asks = hasText('tickets', `cannotShow.do.${code}`)
  const advice = calls || code === 'edited_unseen' ? '' : t(`cannotShow.do.${asks ? code : 'phone'}`)
  return (
    <div className="m-unknown m-whole">
      <Icon of={calls ? Phone : asks || code === 'new_kind' ? CircleHelp : Smartphone} size={16} />
      <span>
        {t(`cannotShow.${code}`)}
        <span className="m-quiet">{message.body.trim() || advice}</span>
      </span>
    </div>
  )
}
