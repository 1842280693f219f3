import { KINDS, type Kind } from '@balcao/contract/connections/kind-names'
import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { useTexts } from '@balcao/ui/i18n'
import { Button, Chip, joinClasses } from '@balcao/ui/parts'
import { useState } from 'react'
import { FIRST_KINDS } from './form.ts'

interface KindChoiceProps {
  readonly value: Kind
  readonly onChange: (kind: Kind) => void
  readonly locked: boolean
}

/** How the number is connected, in plain words with the name of the kind beside: two ways first, the others when somebody asks for them. */
export function KindChoice({ value, onChange, locked }: KindChoiceProps) {
  const t = useTexts('connections')
  const [showsOthers, showOthers] = useState(!FIRST_KINDS.includes(value))
  const others = KINDS.filter(kind => KIND_TABLE[kind].offered && !FIRST_KINDS.includes(kind))
  const kinds = locked ? [value] : [...FIRST_KINDS, ...(showsOthers ? others : [])]
  return (
    <fieldset className="m-0 border-0 p-0">
      <legend className="b-label mb-1.5 p-0">{t('form.api')}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {kinds.map(kind => (
          <label
            key={kind}
            className={joinClasses(
              'flex gap-2.5 rounded-field border p-3 has-focus-visible:outline-2 has-focus-visible:outline-focus',
              kind === value ? 'border-primary bg-primary-tint' : 'border-line-strong bg-surface hover:bg-hover',
              !locked && 'cursor-pointer',
            )}
          >
            <input
              type="radio"
              name="api"
              value={kind}
              checked={kind === value}
              disabled={locked}
              onChange={() => onChange(kind)}
              className="mt-0.5 size-4 flex-none accent-primary outline-none"
            />
            <span className="min-w-0">
              <span className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
                <span className="text-body font-semibold text-ink">{t(`form.apiName.${kind}`)}</span>
                <span className="text-small text-text-2">{KIND_TABLE[kind].label}</span>
                {!locked && KIND_TABLE[kind].prominence === 'recommended' && <Chip>{t('form.recommended')}</Chip>}
              </span>
              {!locked && <span className="text-small text-text-2">{t(`form.apiHint.${kind}`)}</span>}
            </span>
          </label>
        ))}
      </div>
      {!locked && !showsOthers && others.length > 0 && (
        <Button kind="plain" className="-ml-3.5 mt-1" onClick={() => showOthers(true)}>
          {t('form.otherKinds')}
        </Button>
      )}
    </fieldset>
  )
}
