// One broken message must not take the conversation with it. Give it a `key` with the version: a new one gets a new chance.
import { Component, type ReactNode } from 'react'

interface SafeProps {
  readonly fallback: ReactNode
  readonly children: ReactNode
}

export class Safe extends Component<SafeProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
