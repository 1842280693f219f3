import type { MassSendDetail } from '@balcao/contract'
import { formatTime, useTexts } from '@balcao/ui/i18n'
import { Icon, joinClasses } from '@balcao/ui/parts'
import { CircleX } from 'lucide-react'

/** A send that stopped by itself: the rule that stopped it, how its last fifty went, and what is safe (decisions §6). */
export function Stopped({ send }: { readonly send: MassSendDetail }) {
  const t = useTexts('sends')
  const { last, stateReason, stateAt, enviados } = send
  const failed = last.filter(one => one === 'failed').length
  const isRule = stateReason === 'failures' && last.length > 0
  const figures = { count: failed, of: last.length, percent: Math.round((failed / Math.max(1, last.length)) * 100) }
  const time = formatTime(stateAt)
  return (
    <div role="alert" className="flex gap-2.5 rounded-card bg-danger-tint p-3 text-cell">
      <span className="text-danger">
        <Icon of={CircleX} size={16} />
      </span>
      <div className="grid min-w-0 flex-1 gap-1.5">
        <strong className="font-semibold text-danger">
          {isRule ? t('stopped.failures', { ...figures, time }) : t('stopped.other', { time })}
        </strong>
        <span className="text-ink">
          {t(`stopped.why.${stateReason ?? 'failures'}`)} {t('stopped.safe', { count: enviados })}
        </span>
        {isRule && (
          <>
            <span className="flex h-4 gap-px" aria-hidden="true">
              {last.map((one, at) => (
                <i
                  // biome-ignore lint/suspicious/noArrayIndexKey: the bars stand in one order
                  key={at}
                  className={joinClasses(
                    'h-full min-w-0 flex-1 rounded-[2px]',
                    one === 'failed' ? 'bg-danger' : 'bg-ok',
                  )}
                />
              ))}
            </span>
            <span className="text-small text-text-2">{t('stopped.last', { count: last.length })}</span>
          </>
        )}
      </div>
    </div>
  )
}
