import { useTexts } from '@balcao/ui/i18n'
import { IconButton } from '@balcao/ui/parts'
import { X } from 'lucide-react'
import { toQuotedMessage } from '../desk/stores.ts'
import { QuotedText } from '../message/Quoted.tsx'
import type { Target } from './use-composer.ts'

/** Above the field: the message that is answered or edited. */
export function TargetBar({ target, onClose }: { readonly target: Target; readonly onClose: () => void }) {
  const t = useTexts('tickets')
  const { message } = target
  return (
    <div className="k-target">
      <div className="m-quoted">
        {target.kind === 'edit' && <span className="m-quoted-author">{t('composer.editing')}</span>}
        <QuotedText quoted={toQuotedMessage(message)} />
      </div>
      <IconButton
        icon={X}
        size="small"
        label={t(target.kind === 'edit' ? 'composer.cancelEdit' : 'composer.cancelReply')}
        onClick={onClose}
      />
    </div>
  )
}
