import './contact-merge.test.ts'
