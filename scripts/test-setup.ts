import fc from 'fast-check'

// Property tests draw the same cases on every machine; a failure is then everybody's failure.
fc.configureGlobal({ seed: 20240709 })
