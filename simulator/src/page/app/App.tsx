// The whole page: bar on top, phones side by side, what happened on the right.
import { TriangleAlert, X } from 'lucide-react'
import { useEffect } from 'react'
import { clearError, useView } from './client.ts'
import { Phone } from './Phone.tsx'
import { Timeline } from './Timeline.tsx'
import { TopBar } from './TopBar.tsx'

export function App() {
  const { phones, happenings, scans, connected, error } = useView()
  return (
    <div className="page">
      <TopBar phones={phones} />
      <main className="phones" aria-label="Telefones" tabIndex={-1}>
        {phones.length === 0 && (
          <p className="loading">{connected ? 'Nenhum telefone ainda.' : 'Ligando os telefones…'}</p>
        )}
        {phones.map(phone => (
          <Phone key={phone.id} phone={phone} scans={scans} />
        ))}
      </main>
      <Timeline happenings={happenings} connected={connected} />
      {error && <Toast text={error} />}
    </div>
  )
}

function Toast({ text }: { text: string }) {
  useEffect(() => {
    const timer = setTimeout(clearError, 8000)
    return () => clearTimeout(timer)
  })
  return (
    <div className="toast" role="alert">
      <TriangleAlert size={16} strokeWidth={1.8} />
      <span>{text}</span>
      <button type="button" className="icon-button" aria-label="Fechar aviso" onClick={clearError}>
        <X size={16} strokeWidth={1.8} />
      </button>
    </div>
  )
}
