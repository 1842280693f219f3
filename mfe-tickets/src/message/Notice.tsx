// What stands for something that cannot be shown here: what it is, and what to do. Kept and shown, never dropped.
import type { Message } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { Icon } from '@balcao/ui/parts'
import { CircleHelp, Smartphone } from 'lucide-react'

export function Notice({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const { card } = message.details ?? {}
  const code = card?.kind === 'notice' ? card.code : 'new_kind'
  const asks = code === 'too_many_kinds' || code === 'not_for_companies' || code === 'missing'
  return (
    <div className="m-unknown m-whole">
      <Icon of={asks || code === 'new_kind' ? CircleHelp : Smartphone} size={16} />
      <span>
        {t(`cannotShow.${code}`)}
        <span className="m-quiet">{message.body.trim() || t(`cannotShow.do.${asks ? code : 'phone'}`)}</span>
      </span>
    </div>
  )
}
