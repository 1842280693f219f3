import { useTexts } from '@balcao/ui/i18n'

interface Account {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** In the demo: the seeded people, one press fills the form. Nothing outside of it. */
export function DemoAccounts({
  accounts,
  onChoose,
}: {
  accounts: readonly Account[]
  onChoose: (account: Account) => void
}) {
  const t = useTexts('shell')
  if (accounts.length === 0) return null
  return (
    <section className="s-demo">
      <h2>{t('signin.demo')}</h2>
      {accounts.map(account => (
        <button key={account.email} type="button" onClick={() => onChoose(account)}>
          {account.name}
        </button>
      ))}
    </section>
  )
}
