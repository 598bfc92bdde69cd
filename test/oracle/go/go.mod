// Only marks the root: each build takes kubernetes-<minor>.mod instead (go build -modfile), as one module cannot have two minors.
module dra-oracle

go 1.26.0
