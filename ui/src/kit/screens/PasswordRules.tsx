import { checkPasswordRules } from '@balcao/contract/kit/validation'
import { Icon } from '@balcao/ui/parts'
import { Check, Circle } from 'lucide-react'
import { useKitTexts } from './texts.ts'

/** Every rule of the password policy, each told as kept or not from the first key (spec 2 §5). */
export function PasswordRules({ password }: { readonly password: string }) {
  const t = useKitTexts()
  const rules = checkPasswordRules(password).filter(({ rule, isKept }) => rule !== 'long' || !isKept)
  return (
    <ul className="b-rules" aria-label={t('rules.title')}>
      {rules.map(({ rule, isKept }) => (
        <li key={rule} className={isKept ? 'is-kept' : undefined}>
          <Icon of={isKept ? Check : Circle} size={14} label={t(isKept ? 'rules.kept' : 'rules.open')} />
          {t(`rules.${rule}`)}
        </li>
      ))}
    </ul>
  )
}
